"""Looks over a PDF as a print shop does: every finding with page and place."""

from generator.printshop.findings import Finding, Report
from generator.printshop.preflight.document import LARGEST
from generator.printshop.preflight.inspection import CHECKS, preflight
from generator.printshop.preflight.rules import GENERAL, Rules, shop_rules

__all__ = ["CHECKS", "GENERAL", "LARGEST", "Finding", "Report", "Rules", "preflight", "shop_rules"]

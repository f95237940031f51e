"""Looks over a PDF as a print shop does: every finding with page and place."""

from generator.production.preflight.document import LARGEST
from generator.production.preflight.findings import Finding, Report
from generator.production.preflight.inspection import CHECKS, preflight
from generator.production.preflight.rules import GENERAL, Rules, shop_rules

__all__ = ["CHECKS", "GENERAL", "LARGEST", "Finding", "Report", "Rules", "preflight", "shop_rules"]

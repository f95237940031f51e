"""Finished files reach their places all together or not at all, whatever happens meanwhile, to whomever.

New files wait in trays, hidden folders beside their places, until all are whole. A note then says which file goes
where, and they are moved; if one can't be, all go back. A process that dies leaves its trays: the next delivery to the
folder finishes what the note says, or takes the trays away where there is none.
"""

from generator.delivery.files import Delivery, Waiting, delivery
from generator.delivery.trays import Trays

__all__ = ["Delivery", "Trays", "Waiting", "delivery"]

"""Rules of PDF/X about colours: the colour spaces in use, and which of them may be printed."""

from collections.abc import Iterator
from itertools import chain

from pikepdf import Name

from generator.production.preflight.pdfx_file import (
    Breaches,
    OpenPdf,
    Scope,
    decode_data,
    get_entries,
    get_entry,
    get_name,
    list_members,
    value_to_bytes,
)

_PRINTED = {"/DeviceGray", "/DeviceCMYK", "/Separation", "/DeviceN", "/Indexed", "/Pattern"}
_DEVICES = {"/DeviceRGB": "/DefaultRGB", "/DeviceCMYK": "/DefaultCMYK"}
"""Spaces that need the output intent to explain them, and the default spaces that replace it. Grey always prints."""

_OWN_DEVICE = {b"RGB ": "/DeviceRGB", b"GRAY": ""}
"""The device space that a profile's press prints directly. All other presses print CMYK."""

_DEEPEST = 8
"""Largest depth of nested colour spaces; deeper ones are ignored."""


def _iter_uses(scope: Scope) -> Iterator[tuple[str, object]]:
    """Yield every colour space in use, with its user. Resources count as used."""
    resources = scope.resources
    yield from (("content", Name(name)) for name in sorted(scope.content.spaces & _DEVICES.keys()))
    yield from (("content", space) for space in get_entries(resources, "/ColorSpace").values())
    yield from (("an inline image", get_entry(image, "/ColorSpace")) for image in scope.content.images)
    for thing in get_entries(resources, "/XObject").values():
        if get_name(thing, "/Subtype") == "/Image":
            yield "a picture", get_entry(thing, "/ColorSpace")
    shadings = list(get_entries(resources, "/Shading").values())
    patterns = get_entries(resources, "/Pattern").values()
    for shading in chain(shadings, (get_entry(pattern, "/Shading") for pattern in patterns)):
        yield "a gradient", get_entry(shading, "/ColorSpace")
    yield "a transparency group", get_entry(scope.source, "/Group", "/CS")


def _iter_families(space: object, resources: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield the kinds of a colour space and of its base spaces, each with the space itself."""
    members = list_members(space)
    family = get_name(members[0] if members else space)
    if depth > _DEEPEST or not family:
        return
    local = get_entry(resources, "/ColorSpace", family) if not members else None
    if local is not None and family not in _PRINTED | _DEVICES.keys():
        yield from _iter_families(local, resources, depth + 1)
        return
    yield family, space
    base = {"/Indexed": 1, "/Pattern": 1, "/Separation": 2, "/DeviceN": 2}.get(family)
    if base and len(members) > base:
        yield from _iter_families(members[base], resources, depth + 1)


def _iter_used_spaces(pdf: OpenPdf) -> Iterator[tuple[Scope, str, str, object]]:
    for scope in pdf.scopes:
        for user, space in _iter_uses(scope):
            for family, inner in _iter_families(space, scope.resources):
                yield scope, user, family, inner


def find_unprinted_colours(pdf: OpenPdf) -> Breaches:
    """Report RGB, Lab and ICC profiles."""
    for scope, user, family, _ in _iter_used_spaces(pdf):
        if family not in _PRINTED:
            yield scope.page, f"{user} is in {family[1:]}"


def find_device_colours(pdf: OpenPdf) -> Breaches:
    """Report device colours without meaning on the press: DeviceRGB on a CMYK press without a default space."""
    own = _OWN_DEVICE.get(pdf.profile[16:20], "/DeviceCMYK")
    for scope, user, family, _ in _iter_used_spaces(pdf):
        if family not in _DEVICES or family == own:
            continue
        if get_entry(scope.resources, "/ColorSpace", _DEVICES[family]) is None:
            yield scope.page, f"{user} is in {family[1:]}, which the output intent doesn't define"


def find_repeated_profile(pdf: OpenPdf) -> Breaches:
    """Report colours with the output intent's profile: converting would change only black and overprint."""
    for scope, user, family, space in _iter_used_spaces(pdf) if pdf.profile else ():
        if family == "/ICCBased" and any(decode_data(member) == pdf.profile for member in list_members(space)[1:2]):
            yield scope.page, f"{user} has the same profile as the output intent"


def find_different_spots(pdf: OpenPdf) -> Breaches:
    """Report equal spot colours with another alternate space or conversion."""
    known, read = dict[str, object](), dict[tuple[int, int, int], bytes]()
    for scope, _, family, space in _iter_used_spaces(pdf):
        members = list_members(space)
        if family != "/Separation" or len(members) < 4:
            continue
        name, described = get_name(members[1]), (value_to_bytes(members[2], read), value_to_bytes(members[3], read))
        if known.setdefault(name, described) != described:
            yield scope.page, f"the spot colour {name[1:]} has two different definitions"

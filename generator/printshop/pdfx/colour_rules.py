"""Rules of PDF/X about colour: which colour spaces may be used, and that a spot colour is the same throughout."""

from collections.abc import Iterator
from itertools import chain

from pikepdf import Name

from generator.printshop.pdfx.rule import Found, rule
from generator.printshop.pdfx.subject import OpenPdf, Scope
from generator.printshop.pdfx.values import data, part, parts, row, value_as_bytes, word

_PRINTED = {"/DeviceGray", "/DeviceCMYK", "/Separation", "/DeviceN", "/Indexed", "/Pattern"}
_DEVICES = {"/DeviceRGB": "/DefaultRGB", "/DeviceCMYK": "/DefaultCMYK"}
"""Spaces that need the output intent to explain them, and what explains them in its stead; grey is printed anywhere."""

_OWN_DEVICE = {b"RGB ": "/DeviceRGB", b"GRAY": ""}
"""What a profile's press prints without being told; every other one prints CMYK."""

Use = tuple[Scope, str, object]
"""Where a colour space is used, what uses it, and the space."""

_DEEPEST = 8
"""A space in a space in a space: more than that is not meant to be read."""


def _uses(subject: OpenPdf) -> Iterator[Use]:
    """Every colour space in use; resources count as used."""
    for scope in subject.scopes:
        for name in sorted(scope.content.spaces & _DEVICES.keys()):
            yield scope, "content", Name(name)
        yield from ((scope, "content", space) for space in parts(scope.resources, "/ColorSpace").values())
        yield from ((scope, "an inline image", part(image, "/ColorSpace")) for image in scope.content.images)
        yield from ((scope, "a picture", space) for space in _of_pictures(scope))
        yield from ((scope, "a gradient", space) for space in _of_gradients(scope))
        group = part(part(scope.source, "/Group"), "/CS")
        if group is not None:
            yield scope, "a transparency group", group


def _of_pictures(scope: Scope) -> Iterator[object]:
    for thing in parts(scope.resources, "/XObject").values():
        if word(part(thing, "/Subtype")) == "/Image":
            yield part(thing, "/ColorSpace")


def _of_gradients(scope: Scope) -> Iterator[object]:
    shadings = list(parts(scope.resources, "/Shading").values())
    patterns = parts(scope.resources, "/Pattern").values()
    for shading in chain(shadings, (part(pattern, "/Shading") for pattern in patterns)):
        yield part(shading, "/ColorSpace")


def _families(space: object, resources: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """The kinds of a colour space and of those that it is built on, each with the space itself."""
    members = row(space)
    family = word(members[0] if members else space)
    if depth > _DEEPEST or not family:
        return
    local = part(part(resources, "/ColorSpace"), family) if not members else None
    if local is not None and family not in _PRINTED | _DEVICES.keys():
        yield from _families(local, resources, depth + 1)
        return
    yield family, space
    base = {"/Indexed": 1, "/Pattern": 1, "/Separation": 2, "/DeviceN": 2}.get(family)
    if base and len(members) > base:
        yield from _families(members[base], resources, depth + 1)


def _used(subject: OpenPdf) -> Iterator[tuple[Scope, str, str, object]]:
    for scope, user, space in _uses(subject):
        for family, inner in _families(space, scope.resources):
            yield scope, user, family, inner


@rule("printed-colours", "All colours are grey, CMYK or spot colours.", ("pdfx1a",))
def printed_colours(subject: OpenPdf) -> Iterator[Found]:
    """No RGB, no Lab, no ICC profiles."""
    for scope, user, family, _ in _used(subject):
        if family not in _PRINTED:
            yield scope.page, f"{user} is in {family[1:]}"


@rule("device-colours", "Colours without a profile are those of the output intent.", ("pdfx4",))
def device_colours(subject: OpenPdf) -> Iterator[Found]:
    """DeviceRGB on a CMYK press says nothing, unless a default space stands in for it."""
    own = _OWN_DEVICE.get(subject.profile[16:20], "/DeviceCMYK")
    for scope, user, family, _ in _used(subject):
        if family not in _DEVICES or family == own:
            continue
        if part(part(scope.resources, "/ColorSpace"), _DEVICES[family]) is None:
            yield scope.page, f"{user} is in {family[1:]}, which the output intent doesn't explain"


@rule("profile-not-twice", "No colour has the output intent's own profile.", ("pdfx4",))
def profile_not_twice(subject: OpenPdf) -> Iterator[Found]:
    """It would pass through a conversion that changes nothing but black and overprint."""
    if not subject.profile:
        return
    for scope, user, family, space in _used(subject):
        if family == "/ICCBased" and any(data(member) == subject.profile for member in row(space)[1:2]):
            yield scope.page, f"{user} has the same profile as the output intent"


@rule("spots-alike", "A spot colour is described alike wherever it is used.", ("pdfx4",))
def spots_alike(subject: OpenPdf) -> Iterator[Found]:
    """The same name, the same alternate and the same way there."""
    known, read = dict[str, object](), dict[tuple[int, int, int], bytes]()
    for scope, _, family, space in _used(subject):
        members = row(space)
        if family != "/Separation" or len(members) < 4:
            continue
        name, described = word(members[1]), (value_as_bytes(members[2], read), value_as_bytes(members[3], read))
        if known.setdefault(name, described) != described:
            yield scope.page, f"the spot colour {name[1:]} is described in two ways"

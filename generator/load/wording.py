"""pydantic's findings in the words of this program: what is wrong and what to do, with the names that exist."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from generator.errors import did_you_mean
from generator.units import plain

_TYPES = {
    "int_type": ("a whole number", "write digits only, without quotes"),
    "int_from_float": ("a whole number", "write digits only"),
    "float_type": ("a number", "write digits, without quotes"),
    "string_type": ("text", "put it in quotes"),
    "credit_type": ("a text", "put it in quotes"),
    "bool_type": ("true or false", "write true or false"),
    "dict_type": ("a mapping", "write it as `name: value` lines"),
    "list_type": ("a list", "write it as `- entry` lines or in [ ]"),
    "model_type": ("a mapping", "write it as `name: value` lines"),
    "model_attributes_type": ("a mapping", "write it as `name: value` lines"),
}


def explain(error: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    """(what, hint) of one finding."""
    kind, path, context = error["type"], error["loc"], error.get("ctx", {})
    name = format_path(path)
    if kind == "missing":
        return f"'{path[-1]}' is missing{_of(path[:-1])}", f"add `{path[-1]}: ...`"
    if kind == "extra_forbidden":
        return f"unknown field '{path[-1]}'{_of(path[:-1])}", did_you_mean(str(path[-1]), fields_at(model, path[:-1]))
    if kind in _TYPES and error["input"] is None:
        return f"{name} is empty", "write a value; one that begins with # needs quotes"
    if kind in _TYPES:
        wanted, hint = _TYPES[kind]
        return f"{name} must be {wanted}, not {describe_value(error['input'])}", hint
    limits = {
        "greater_than_equal": ("at least", "ge"),
        "greater_than": ("more than", "gt"),
        "less_than_equal": ("at most", "le"),
    }
    if kind in limits:
        words, key = limits[kind]
        return f"{name} is {error['input']}, but must be {words} {plain(context[key])}", "change the number"
    if kind == "string_too_long":
        most = context["max_length"]
        return f"{name} has {len(error['input'])} characters, but may have {most}", "shorten it"
    if kind in ("too_short", "too_long"):
        length = context.get("min_length", context.get("max_length"))
        return f"{name} has {context['actual_length']} entries, but must have {length}", "change the list"
    if kind == "literal_error":
        return (
            f"{name} is {describe_value(error['input'])}, which is none of its choices",
            f"known: {context['expected']}",
        )
    if kind == "string_pattern_mismatch":
        return f"{name} is {describe_value(error['input'])}, which is not of the right form", _form(context["pattern"])
    mistake = context.get("error", error["msg"].lower())
    return f"{name}: {mistake}", getattr(mistake, "hint", "") or "change it"


def format_path(path: tuple[Any, ...]) -> str:
    """`components.reel.size` for messages."""
    words = ["name" if step == "[key]" else str(step) for step in path]
    return ".".join(words) or "the file"


def describe_value(value: Any) -> str:
    """A value as a message shows it."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:37]}...'"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else str(value)


def fields_at(model: type[BaseModel], path: tuple[Any, ...]) -> list[str]:
    """The field names that the model knows at a path, as they are written in the data."""
    here: Any = model
    for step in path:
        here = _inner(here, step)
    return list(_aliases(here)) if isinstance(here, type) and issubclass(here, BaseModel) else []


def _inner(annotation: Any, step: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, info in annotation.model_fields.items():
            if step in (name, info.alias):
                return _bare(info.annotation)
        return None
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (dict, list) and arguments:
        return _bare(arguments[-1])
    return None


def _bare(annotation: Any) -> Any:
    """Without Annotated and without `| None`."""
    while hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    inner = [part for part in get_args(annotation) if part is not type(None)]
    if get_origin(annotation) not in (dict, list) and len(inner) == 1:
        return _bare(inner[0])
    return annotation


def _aliases(model: type[BaseModel]) -> Iterator[str]:
    for name, info in model.model_fields.items():
        yield info.alias or name


def _of(path: tuple[Any, ...]) -> str:
    return f" in {format_path(path)}" if path else ""


def _form(pattern: str) -> str:
    forms = {
        "^#[0-9a-fA-F]{6}$": "write it as '#8a6a3a', in quotes",
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "write it as 2026-01-31",
        r"^E[0-9]+[a-z]?$": "write it as E1, E2 ...",
    }
    return forms.get(pattern, "use lower-case letters, digits, - and _")

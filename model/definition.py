"""`Model`, the class from which a protocol is written, and `part`, which plugs in another."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard, TypeVar, cast

from twice.model import settings as choices
from twice.model.errors import TOO_LARGE, ModelError, Place, UsageError, nearest
from twice.model.rules import MARK, ActionMark, PropertyMark
from twice.model.sentences import sentence_of
from twice.model.settings import Setting
from twice.model.slips import caller
from twice.model.sorts import Sort
from twice.model.variables import Declaration, Map, Var

if TYPE_CHECKING:
    from twice.model.compiled import CompiledModel
    from twice.model.program import Program

M = TypeVar("M", bound="Model")


class Part:
    """A place in a model where another model is plugged in."""

    def __init__(self, default: type[Model]) -> None:
        self.default = default
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, obj: Any, owner: type) -> Any:
        return self if obj is None else obj.parts[self.name]


def part(default: type[M]) -> M:
    """Declare a part: ``body: Body = part(PlainBody)``.

    The part's variables and actions become the model's, with the part's name before theirs. Another
    model of the same interface is given when the model is made:
    ``Delivery(body=IdempotentBody())``. Settings of the part are settings of the whole.
    """
    return cast(M, Part(default))


class Model:
    """A protocol: settings, variables, actions, faults and properties, written once.

    Parameters
    ----------
    **given
        Settings by name, and parts by name.

    Raises
    ------
    SettingError
        For an unknown setting or a value that is not allowed.
    ModelError
        For a definition that cannot mean what it says.

    Examples
    --------
    >>> from twice.model import Model, Var, action, require
    >>> class Lamp(Model):
    ...     '''A lamp.'''
    ...     on: Var[bool] = Var(False)
    ...     @action
    ...     def switch_on(self) -> None:
    ...         '''Somebody switches it on.'''
    ...         require(~self.on)
    ...         self.on = True
    >>> Lamp.title()
    'A lamp.'
    """

    words: ClassVar[Mapping[type[Sort], str]] = {}
    """What people call the members of a sort, where it is not the name of the class."""

    _names_around: ClassVar[Mapping[str, object]] = {}
    values: dict[str, object]
    variables: dict[str, Declaration]
    parts: dict[str, Model]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Annotations are texts; a class made inside a function may use the function's names.
        frame = sys._getframe(1)
        cls._names_around = dict(frame.f_locals) if frame.f_locals is not frame.f_globals else {}
        for name, value in list(vars(cls).items()):  # `__annotations__` may be added
            if name in RESERVED and _declares(value):
                raise ModelError(
                    "L408",
                    f"`{name}` means something else in every model",
                    f"another name for what {cls.__name__} calls `{name}`",
                    caller(),
                )
            annotation = cls.__annotations__.get(name)
            plain = isinstance(value, (bool, int, float, str, Enum))
            if (
                annotation
                and plain
                and not name.startswith("_")
                and "ClassVar" not in str(annotation)
            ):
                entry = Setting(value, "", unit="", within=None, minimum=None)
                entry.__set_name__(cls, name)
                type.__setattr__(cls, name, entry)

    def __init__(self, **given: Any) -> None:
        slots = self._declared(Part)
        built = {
            name: given.pop(name) if name in given else slot.default for name, slot in slots.items()
        }
        own = self._declared(Setting)
        known = {entry.name: entry for entry in self._settings_with(built)}
        values = choices.choose(known, given, type(self).__name__)
        parts = {
            name: made(**{s.name: values[s.name] for s in made.settings()})
            if _is_model(made)
            else made
            for name, made in built.items()
        }
        object.__setattr__(self, "values", {name: values[name] for name in own})
        object.__setattr__(self, "parts", parts)
        self._name_variables("")

    @classmethod
    def _declared(cls, kind: type[Any]) -> dict[str, Any]:
        """Class attributes of one kind by name, those of base classes first."""
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, kind):
                    found[name] = value
                else:
                    found.pop(name, None)
        return found

    @classmethod
    def _settings_with(cls, parts: Mapping[str, Any]) -> Iterator[Setting]:
        """The settings of the whole, then those of its parts; one name is one setting."""
        own = cls._declared(Setting)
        yield from own.values()
        known = set(own)
        for made in parts.values():
            for entry in made.settings() if _is_model(made) else ():
                if entry.name not in known:
                    known.add(entry.name)
                    yield entry

    def _name_variables(self, prefix: str) -> None:
        bound = {}
        for base in reversed(type(self).__mro__):
            for name, entry in vars(base).items():
                if isinstance(entry, Declaration):
                    bound[name] = entry.bind(prefix, _annotation(base, name, entry.place))
        object.__setattr__(self, "variables", bound)
        for name, inner in self.parts.items():
            inner._name_variables(f"{prefix}{name}.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        # What the class does have has failed, and Python put that error aside: meet it again.
        own: Any = getattr(type(self), name, None)
        if hasattr(own, "__get__"):
            return own.__get__(self, type(self))
        known = [*self._declared(Declaration), *self._declared(Setting), *self._declared(Part)]
        owner = type(self).__name__
        what = f"`{name}` is no variable, setting or part of {owner}; {nearest(name, known)}"
        raise ModelError("L201", what, "one of the declared names", caller())

    def __setattr__(self, name: str, value: object) -> None:
        declared = getattr(type(self), name, None)
        if isinstance(declared, (Var, Map)):
            declared.__set__(self, value)
            return
        if isinstance(declared, Setting):
            raise ModelError(
                "L206",
                f"`{name}` is a setting, fixed before the model is built; no action can change it",
                f"{name}: Var[...] = Var(...) if it is a part of the state",
                caller(),
            )
        known = self._declared(Declaration)
        what = f"`{name}` is no state variable of {type(self).__name__}; {nearest(name, known)}"
        raise ModelError("L201", what, "one of the declared variables", caller())

    @classmethod
    def title(cls) -> str:
        """The first line of the docstring."""
        return (cls.__doc__ or cls.__name__).strip().splitlines()[0]

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """Every setting, those of the default parts included."""
        return tuple(
            cls._settings_with({name: slot.default for name, slot in cls._declared(Part).items()})
        )

    @classmethod
    def rules(cls) -> dict[str, ActionMark | PropertyMark]:
        """The marks of all rules by method name, those of base classes first."""
        found: dict[str, ActionMark | PropertyMark] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                mark = getattr(value, MARK, None)
                if mark is not None:
                    found[name] = mark
                elif name in found and isinstance(value, FunctionType):
                    raise _undecorated(value, found[name])
                else:
                    found.pop(name, None)
        return found

    @classmethod
    def fault_points(cls) -> dict[str, dict[str, str]]:
        """The sentences of all faults, those of default parts too: by kind, then by action."""
        points: dict[str, dict[str, str]] = {}
        settings = [entry.name for entry in cls.settings()]
        for name, mark in cls.rules().items():
            if isinstance(mark, ActionMark) and mark.fault:
                function = getattr(cls, name)
                arguments = function.__code__.co_varnames[1 : function.__code__.co_argcount]
                known = [*arguments, *settings]
                points.setdefault(mark.fault, {})[name] = sentence_of(function, known)
        for name, slot in cls._declared(Part).items():
            plugged = slot.default if _is_model(slot.default) else type(slot.default)
            for kind, inner in plugged.fault_points().items():
                below = {f"{name}.{action}": sentence for action, sentence in inner.items()}
                points.setdefault(kind, {}).update(below)
        return points

    def program(self) -> Program:
        """The guarded commands of this model: every rule's body traced once."""
        from twice.model.trace_rules import trace_model

        return trace_model(self)

    def compile(self, scope: Mapping[type[Sort], int]) -> CompiledModel:
        """The transition system for so many members of each sort.

        Raises
        ------
        UsageError
            When the scope misses a sort of the model, has one the model does not know or none of
            its members, or so many that the rules cannot be written out for all of them.
        """
        from twice.model.compiled import CompiledModel

        program = self.program()
        try:
            return CompiledModel(program, scope)
        except RecursionError:
            raise UsageError(TOO_LARGE) from None


def _declares(value: object) -> bool:
    return isinstance(value, (Declaration, Setting, Part)) or hasattr(value, MARK)


RESERVED = {name for name in vars(Model) if not name.startswith("__")} - {"words"}
RESERVED |= set(Model.__annotations__) - {"words"}
"""Names that a model cannot give to a variable, a setting, a part or a rule."""


def _undecorated(function: FunctionType, mark: ActionMark | PropertyMark) -> ModelError:
    what, cure = "property", "its decorator above it"
    if isinstance(mark, ActionMark):
        what = "fault" if mark.fault else "action"
        cure = f"@{what} above it"
    name, code = function.__name__, function.__code__
    return ModelError(
        "L410",
        f"`{name}` was {'an' if what == 'action' else 'a'} {what}, and here it is none: it would "
        "silently be gone",
        f"{cure}, or `{name} = None` to take it out",
        Place(code.co_filename, code.co_firstlineno),
    )


def _is_model(made: object) -> TypeGuard[type[Model]]:
    return isinstance(made, type) and issubclass(made, Model)


def _annotation(owner: type[Any], name: str, place: Place | None) -> object:
    """The annotation of a variable, evaluated where its class was written."""
    if name not in owner.__annotations__:
        raise ModelError(
            "L401",
            f"`{name}` has no type",
            f"{name}: Var[...] = ... or {name}: Map[...] = ...",
            place,
        )
    around = vars(sys.modules[owner.__module__])
    return evaluate_annotation(owner.__annotations__[name], owner, around, place)


def evaluate_annotation(
    written: object, owner: type[Any], around: Mapping[str, object], place: Place | None
) -> object:
    """What an annotation means among the names of its module and of the function around its class.

    Raises
    ------
    ModelError
        L401, for what means nothing there.
    """
    if not isinstance(written, str):
        return written
    local: Mapping[str, object] = getattr(owner, "_names_around", {})
    try:
        return eval(written, dict(around), dict(local))
    except Exception as error:  # whatever evaluating a text of the user's gives
        known = "a type whose names are defined or imported above the class"
        what = f"`{written}` in {owner.__name__}: {error}"
        raise ModelError("L401", what, known, place) from None

"""The modelling language and the state-space explorer.

Write a model with `Model`, `Sort`, `Var`, `Map` and the decorators; compile it for a scope; `check`
it.
"""

from twice.model.check import NO_FAULTS, check
from twice.model.compiled import CompiledModel
from twice.model.definition import Model, part
from twice.model.errors import ModelError, UsageError, nearest
from twice.model.exploration import StateSpace, explore
from twice.model.expressions import Bool, Expr
from twice.model.limits import Covered, Limits
from twice.model.quantifiers import count, exists, forall, implies, ite
from twice.model.quotient import quotient
from twice.model.regimes import Regime
from twice.model.rules import (
    PropertyKind,
    action,
    always_reachable,
    eventually,
    fault,
    finitely_often,
    invariant,
    leads_to,
    reachable,
)
from twice.model.settings import Setting, SettingError, setting
from twice.model.sorts import Sort
from twice.model.trace import Change, Step, Trace
from twice.model.tracing import each, require, when
from twice.model.transition_system import Label, Property, Transition, TransitionSystem
from twice.model.variables import Map, Var
from twice.model.verdict import Report, Result, Verdict
from twice.model.view import View

__all__ = [
    "NO_FAULTS",
    "Bool",
    "Change",
    "CompiledModel",
    "Covered",
    "Expr",
    "Label",
    "Limits",
    "Map",
    "Model",
    "ModelError",
    "Property",
    "PropertyKind",
    "Regime",
    "Report",
    "Result",
    "Setting",
    "SettingError",
    "Sort",
    "StateSpace",
    "Step",
    "Trace",
    "Transition",
    "TransitionSystem",
    "UsageError",
    "Var",
    "Verdict",
    "View",
    "action",
    "always_reachable",
    "check",
    "count",
    "each",
    "eventually",
    "exists",
    "explore",
    "fault",
    "finitely_often",
    "forall",
    "implies",
    "invariant",
    "ite",
    "leads_to",
    "nearest",
    "part",
    "quotient",
    "reachable",
    "require",
    "setting",
    "when",
]

"""The one import of Hypothesis, which the extra `suite` installs."""

from __future__ import annotations

from bitproof.extras import missing

try:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st
    from hypothesis.errors import Flaky, HypothesisException
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    raise missing("hypothesis", "suite") from None

__all__ = ["Flaky", "HealthCheck", "HypothesisException", "Phase", "SearchStrategy", "given", "settings", "st"]

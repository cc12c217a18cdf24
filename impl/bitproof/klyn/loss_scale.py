"""Dynamic loss scaling of Float16 training: the settings, and the state's life from update to update."""

from __future__ import annotations

from dataclasses import dataclass

from bitproof.klyn.arguments import float_of, integer, real, word_of
from bitproof_spec.klyn.reals import BACKOFF, BINARY32_LARGEST, BINARY32_LEAST_NORMAL, GROWTH, SCALE
from bitproof_spec.klyn.training import LossScale


@dataclass(frozen=True, slots=True)
class LossScaling:
    """How the loss of a Float16 model is scaled: from where, and when the scale grows and backs off."""

    initial_scale: float = 2.0**15
    growth_factor: float = 2.0
    backoff_factor: float = 0.5
    growth_interval: int = 2000

    def start(self) -> LossScale:
        """The state before the first update. TypeError or ValueError for a setting that no file can hold."""
        initial = word_of(real("initial_scale", self.initial_scale, SCALE))
        return LossScale(
            scale=initial,
            initial_scale=initial,
            growth_factor=word_of(real("growth_factor", self.growth_factor, GROWTH)),
            backoff_factor=word_of(real("backoff_factor", self.backoff_factor, BACKOFF)),
            growth_interval=integer("growth_interval", self.growth_interval, 1),
            good_steps=0,
        )


def after(state: LossScale, overflow: bool) -> LossScale:
    """The state after an update that was applied, or skipped for an overflow.

    An overflow multiplies the scale by the backoff factor, never below 2^-126, and restarts the count of good steps.
    The last good step of an interval multiplies by the growth factor, unless that would pass the largest finite
    binary32, and restarts the count either way.
    """
    scale = float_of(state.scale)
    if overflow:
        reduced = max(scale * float_of(state.backoff_factor), float_of(BINARY32_LEAST_NORMAL))
        return state._replace(scale=word_of(reduced), good_steps=0)
    if state.good_steps + 1 < state.growth_interval:
        return state._replace(good_steps=state.good_steps + 1)
    grown = scale * float_of(state.growth_factor)
    fits = grown <= float_of(BINARY32_LARGEST)
    return state._replace(scale=word_of(grown) if fits else state.scale, good_steps=0)


def restarted(state: LossScale) -> LossScale:
    """The state as it was before the first update."""
    return state._replace(scale=state.initial_scale, good_steps=0)

"""Klyn: KNN files without torch (`read`, `write`), and the Sequential runtime on torch, imported when first used."""

from __future__ import annotations

from bitproof.klyn.errors import ValueException as ValueException

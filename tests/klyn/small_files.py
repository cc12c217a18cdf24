"""The five small files of the KNN format, made byte by byte: valid, canonical, and with values unlike any default."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data"
SMALL_FILES = {path.stem: path.read_bytes() for path in sorted(DATA.glob("*.knn"))}
TRAINING = "sgd-momentum-dropout"

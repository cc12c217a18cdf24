"""Every rule of KNN 1.0, bitproof profile, in the order of `spec/klyn.md`; each id is also a clause there."""

from __future__ import annotations

from bitproof_spec.klyn.rules_file import FILE_RULES
from bitproof_spec.klyn.rules_manifest import MEMBER_RULES
from bitproof_spec.klyn.rules_model import MODEL_RULES, TABLE_RULES
from bitproof_spec.klyn.rules_training import RANDOM_RULES, TRAINING_RULES
from bitproof_spec.rules import Rulebook

RULES = Rulebook("knn", [*FILE_RULES, *MEMBER_RULES, *MODEL_RULES, *TABLE_RULES, *TRAINING_RULES, *RANDOM_RULES])

"""The law of random words: published answers, bijections, and masks that nothing but key and counter decides."""

from __future__ import annotations

from bitproof_spec import random as spec
from proofs.core import random_answers as answers
from proofs.core import random_rates as rates
from proofs.core import random_terms as terms
from proofs.core.mixing import bijective
from proofs.crosshair_runner import contracts
from proofs.law import Law, part

LAW = Law(
    id="random",
    statement="Philox and SplitMix64 equal their published answers; a mask is a function of key and counter only",
    committed="exhausted",
    parts=(
        part(
            "the published answers",
            "known answers",
            "exhausted",
            answers.gives_published_answers,
            answers.Generators(spec.mix, spec.philox_block),
            {
                "nine rounds": answers.Generators(spec.mix, answers.nine_rounds),
                "lanes from the top": answers.Generators(spec.mix, answers.most_significant_lane_first),
                "no mask": answers.Generators(answers.mix_without_a_mask, spec.philox_block),
            },
        ),
        part(
            "SplitMix64's mix is a bijection of 64-bit words",
            "z3",
            "proved",
            bijective,
            spec.mix,
            {"no mask": answers.mix_without_a_mask, "an even multiplier": answers.mix_by_an_even_number},
        ),
        part(
            "a round of Philox is a bijection for every key",
            "z3",
            "proved",
            terms.round_is_bijective,
            spec.philox_round,
            {"the wrong key": terms.round_without_the_key, "a lane lost": terms.round_that_loses_a_lane},
        ),
        part(
            "a mask's elements are terms of key and counter alone, each its lane of its block",
            "z3, equal terms",
            "proved",
            terms.decided_by_key_and_counter,
            spec.mask,
            terms.MASK_TWINS,
        ),
        part(
            "the threshold of a rate, every exponent",
            "exact rationals",
            "exhausted",
            rates.is_the_least,
            spec.threshold,
            {"rounds down": rates.threshold_down, "no subnormal rates": rates.threshold_without_subnormals},
        ),
        contracts("its ceiling, for all numbers", (rates.ceiling,), {"the next": rates.ceiling_of_the_next}),
        contracts("an index is below its bound", (rates.index,), {"the bound too": rates.index_with_the_bound}),
    ),
)

"""The law of complex encodings: the product of the component's encoding with itself; so injective and twice as long.

That both directions are inverse at 128 bits follows from the first two parts and the law of encodings at 64.
"""

from __future__ import annotations

from proofs.core import complex_contracts as contract
from proofs.crosshair_runner import contracts
from proofs.law import Law

LAW = Law(
    id="complex",
    statement="a complex encoding is the product of its component's, real part first, injective, length twice",
    committed="confirmed",
    parts=(
        contracts(
            "the words of both parts, real part first",
            (contract.encoded_128,),
            {"imaginary part first": contract.encoded_128_swapped},
        ),
        contracts(
            "there and back",
            (contract.there_and_back_64, contract.back_and_there_64, contract.decoded_128),
            {"parts added": contract.there_and_back_64_added},
        ),
        contracts(
            "injective",
            (contract.injective_64,),
            {"a sign lost": contract.injective_64_but_for_a_sign},
        ),
        contracts(
            "other sizes are refused",
            (contract.refuses_size_64,),
            {"longer words are cut": contract.refuses_size_64_from_below},
        ),
    ),
)

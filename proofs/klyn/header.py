"""The law of the header: writing and reading it are inverse, reading is total, and the clauses owe exactly one header.

The fields are independent, so each is shown by itself, as base-256 digits at its place; that digits and their sum are
inverse at every width is the law of words.
"""

from __future__ import annotations

from proofs.crosshair_runner import contracts
from proofs.klyn import header_contracts as contract
from proofs.law import Law

LAW = Law(
    id="header",
    statement="a KNN header's pack and unpack are inverse; unpack is total; its clauses hold for the right header only",
    committed="confirmed",
    parts=(
        contracts(
            "pack puts each field's digits at its place",
            (
                contract.packs_versions_and_flags,
                contract.packs_manifest_length,
                contract.packs_file_length,
                contract.packs_bytes,
            ),
            {"major and minor exchanged": contract.packs_versions_exchanged},
        ),
        contracts(
            "unpack is the sum of those digits",
            (contract.unpacks_small_fields, contract.unpacks_lengths, contract.unpacks_file_length),
            {"a file length of 32 bits": contract.unpacks_file_length_of_32_bits},
        ),
        contracts(
            "unpack is total", (contract.unpacks_anything,), {"short files": contract.unpacks_whole_headers_only}
        ),
        contracts(
            "the clauses hold for the right header only",
            (contract.accepts,),
            {"a manifest beyond the end": contract.accepts_beyond_the_end},
        ),
    ),
)

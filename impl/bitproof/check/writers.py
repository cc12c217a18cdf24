"""Reports as text for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from typing import Protocol, TextIO

from bitproof.check.judging import shown
from bitproof.check.report import Exit, Finding, Report, worst
from bitproof.text import Painter, count, printable


class Writer(Protocol):
    """Takes reports one by one and knows in the end what they amount to."""

    def add(self, report: Report, /) -> None:
        """Take the report on the next file."""
        ...

    def end(self, passed_over: int = 0, /) -> Exit:
        """Finish the output, which says how many files were passed over; the outcome of all reports together."""
        ...


class TextWriter:
    """Text: a line for a file that conforms, four for each finding, and a summary."""

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream = stream
        self._paint = Painter(stream)
        self._quiet = quiet
        self._outcomes: Counter[Exit] = Counter()
        self._findings = self._hidden = self._partial = 0
        self._first = ""

    def add(self, report: Report) -> None:
        """Print what is wrong with the file, or that nothing is."""
        name = shown(report.path, self._stream.encoding)
        self._outcomes[report.outcome] += 1
        self._findings += len(report.findings)
        self._hidden += report.hidden
        self._partial += report.outcome is Exit.OK and not report.judged_whole
        for finding in report.findings:
            self._first = self._first or finding.rule
            self._finding(name, finding)
        if report.trouble:
            self._line(f"{self._paint('strong', name)}: {self._paint('error', 'not checked')}: {report.trouble}")
        elif report.outcome is Exit.OK and not self._quiet:
            self._line(f"{self._paint('strong', name)}: {self._verdict(report)}")

    def end(self, passed_over: int = 0, /) -> Exit:
        """Print the summary."""
        outcome = worst(self._outcomes)
        if not self._outcomes:
            self._line("nothing to check: no file was named, and none in the folders has a format that is known")
        elif not self._quiet:
            self._line(self._summary())
            if self._first:
                self._line(self._paint("faint", f"`bitproof explain {self._first}` says more about a rule."))
        if passed_over and not self._quiet:
            self._line(f"{count(passed_over, 'file')} of no known format passed over")
        return outcome

    def _finding(self, name: str, finding: Finding) -> None:
        style = "error" if finding.severity == "error" else "advice"
        place = f"{self._paint('strong', name)}: {printable(finding.where)}"
        self._line(f"{place}: {self._paint(style, f'{finding.severity} {finding.rule}')}")
        self._line(f"    found: {printable(finding.found)}")
        self._line(f"    owed:  {printable(finding.owed)}")
        if finding.meaning:
            self._line(f"    {self._paint('faint', finding.meaning)}")

    def _verdict(self, report: Report) -> str:
        size = count(report.size or 0, "byte")
        if not report.judged_whole:
            hidden = count(report.hidden, "finding")
            return f"{self._paint('advice', 'no finding that was asked for')} ({hidden} not reported)"
        return f"{self._paint('good', 'conforms')} to {report.title} ({size})"

    def _summary(self) -> str:
        total = sum(self._outcomes.values())
        parts = [
            (self._outcomes[Exit.OK] - self._partial, "conforms", "conform"),
            (self._partial, "not judged whole", "not judged whole"),
            (self._outcomes[Exit.REFUSED], "does not conform", "do not conform"),
            (self._outcomes[Exit.FAILED], "could not be checked", "could not be checked"),
        ]
        said = ", ".join(count(number, one, many) for number, one, many in parts if number)
        hidden = f" ({count(self._hidden, 'finding')} not reported)" if self._hidden else ""
        return f"{count(total, 'file')}, {count(self._findings, 'finding')}: {said}{hidden}"

    def _line(self, text: str) -> None:
        self._stream.write(text + "\n")


class JsonWriter:
    """One JSON object. A path is escaped as in text; the bytes of one that isn't UTF-8 stand beside it in hex."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._reports: list[Report] = []

    def add(self, report: Report) -> None:
        """Keep the report for the end."""
        self._reports.append(report)

    def end(self, passed_over: int = 0, /) -> Exit:
        """Print the object."""
        import json

        from bitproof.identity import identity

        outcome = worst(report.outcome for report in self._reports)
        whole = {
            "bitproof": identity(),
            "exit": int(outcome),
            "passed_over": passed_over,
            "files": [_plain(report) for report in self._reports],
        }
        json.dump(whole, self._stream, indent=2)
        self._stream.write("\n")
        return outcome


def _plain(report: Report) -> dict[str, object]:
    good = "conforms" if report.judged_whole else "not judged whole"
    verdicts = {Exit.OK: good, Exit.REFUSED: "refused", Exit.FAILED: "not checked"}
    plain: dict[str, object] = {"path": shown(report.path)}
    if not report.path.isprintable():
        plain["path_bytes"] = report.path.encode("utf-8", "surrogateescape").hex()
    plain |= {"verdict": verdicts[report.outcome], "format": report.format or None, "size": report.size}
    plain |= {"findings": [finding._asdict() for finding in report.findings], "hidden": report.hidden}
    return plain | ({"trouble": report.trouble} if report.trouble else {})

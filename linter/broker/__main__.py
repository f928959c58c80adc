"""``python -m subdrift.linter.broker``: case lines on stdin, answer lines on stdout; see ``linter.broker.protocol``.

A line that is no case is answered by one with ``problem`` and ``line``, and makes the exit status 1.
"""

import json
import sys
from collections.abc import Iterable, Iterator

from subdrift.linter.broker.protocol import CaseError, answer, identity


def answer_lines(lines: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    """For each line that is not blank its answer as JSON in ASCII, and whether the line was a case."""
    for number, line in enumerate(lines, start=1):
        if line.isspace() or not line:
            continue
        case: object = None
        try:
            case = json.loads(line)
            answered, fine = answer(case), True
        except (CaseError, ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            answered, fine = {"id": identity(case), "line": number, "problem": reason}, False
        yield json.dumps(answered, separators=(",", ":")), fine


def main() -> int:
    """Answer stdin line by line, each as soon as it is read; 1 if a line was no case."""
    status = 0
    try:
        for text, fine in answer_lines(sys.stdin.buffer):
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
            status = status if fine else 1
    except BrokenPipeError:
        sys.stderr.close()  # nobody listens any more; keeps the interpreter from reporting it at exit
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())

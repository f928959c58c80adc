"""`python -m linter` is `subdrift`."""

from linter.cli import main

if __name__ == "__main__":
    main()

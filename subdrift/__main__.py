"""`python -m subdrift` is the `subdrift` command."""

from subdrift.linter.cli import main

if __name__ == "__main__":
    main()

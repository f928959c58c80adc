"""What the bundle starts."""

import sys

if __name__ == "__main__":
    if "--multiprocessing-fork" in sys.argv:  # a worker, where processes are not forked
        from multiprocessing import freeze_support

        freeze_support()
    from subdrift.linter.cli import main

    main()

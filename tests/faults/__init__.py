"""What is kept between runs, and what is read from git, damaged at random; processes killed: `python -m tests.faults`."""

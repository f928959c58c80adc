"""Text from outside, before anybody believes it: bounded parsing, places of values, encodings. Pure functions."""

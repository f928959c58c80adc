"""Where source text comes from: a checkout on disk, found, named, listed and read."""

"""The registry: what an organisation's run knows, in one file that a single repository's check can ask.

`schema` is the format, `writer` makes a file whole or not at all, `reader` opens one as text from outside, `beyond`
answers what one run asks of the other repositories. `seal` tells that a file is as it was written.
`entries` holds the shapes both sides speak of.
"""

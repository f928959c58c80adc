"""`subdrift server`: the results of `check` in an editor, by the Language Server Protocol.

`project` runs the pipeline over a project whose files an editor holds, and keeps what makes the next run cheap;
`answers` says what stands at a place; `protocol` is the only module that knows the protocol. Nothing here writes a file.
"""

"""What of a stack of contexts may wait: https://docs.python.org/3/library/contextlib.html. The interpreter tells the rest."""


async def _enter_async(stack, context):
    entered = await context.__aenter__()
    stack.push_async_exit(context)
    return entered

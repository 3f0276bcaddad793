"""Reading a tool call before it runs: which files could it touch, which commands would it start?"""

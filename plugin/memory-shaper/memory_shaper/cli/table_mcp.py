"""The verb for agents that speak the Model Context Protocol."""

from __future__ import annotations

from .request import Argument, Verb

MCP = Verb(
    "mcp",
    "serve the memory to agents that speak MCP",
    "mcp:mcp",
    "memory-shaper mcp\nmemory-shaper mcp --memdir ~/notes/memory",
    (("jsonrpc", "standard output carries the protocol and nothing else, with --json too"),),
    (Argument("--memdir", "a memories folder outside of any Hermes home", metavar="DIR"),),
    "The tools are route, read_topic, memory_search and memory_remember. The verb ends with its standard input.\n"
    "Needs the package mcp: pip install 'memory-shaper[mcp]'. How to set it up: docs/porting.md",
    chat=False,
)

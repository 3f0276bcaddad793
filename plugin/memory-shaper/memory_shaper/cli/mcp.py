"""`mcp`: the tools for agents that speak the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import shlex
import sys

from .. import __version__
from ..errors import Missing
from ..guard.guard import Guard
from ..settings import NAME, home_of_folder
from .request import Outcome, Request


def mcp(request: Request) -> Outcome:
    """Serve until standard input ends. Raises Missing without the folder, or without the SDK of the protocol."""
    folder = request.path("memdir")
    if folder and not folder.is_dir():
        raise Missing(f"memory-shaper mcp: {folder}: there is no such folder")
    if not _has_sdk():
        command = shlex.join([sys.executable, "-m", "pip", "install", "memory-shaper[mcp]"])
        raise Missing(f"memory-shaper mcp: the package mcp, version 2, is not installed; run: {command}")
    guard = Guard.of(home_of_folder(folder) if folder else request.home)
    try:
        _serve(guard)
    finally:
        guard.watch.flights.close()
    return Outcome()


def _has_sdk() -> bool:
    """Tell whether the SDK can be imported; version 1 has other parts."""
    try:
        import mcp.server.context  # noqa: F401
    except ImportError:
        return False
    return True


def _serve(guard: Guard) -> None:
    import asyncio

    from mcp import types
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    from .. import searching, serving

    # One call at a time: the memory is one, and its order of changes is that of the calls.
    turn = asyncio.Lock()

    async def tools(_: ServerRequestContext, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(one) for one in serving.SERVED])

    async def call(_: ServerRequestContext, asked: types.CallToolRequestParams) -> types.CallToolResult:
        args = asked.arguments or {}
        async with turn:
            reply = await asyncio.to_thread(serving.call, guard, asked.name, args)
        content = types.TextContent(type="text", text=reply.text.encode("utf-8", "replace").decode("utf-8"))
        return types.CallToolResult(content=[content], is_error=reply.failed)

    def _tool(one: serving.Served) -> types.Tool:
        hints = types.ToolAnnotations(
            read_only_hint=one.reads, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        )
        return types.Tool(name=one.name, description=one.description, input_schema=dict(one.schema), annotations=hints)

    server = Server(
        NAME, version=__version__, instructions=serving.INSTRUCTIONS, on_list_tools=tools, on_call_tool=call
    )

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    try:
        asyncio.run(serve())
    finally:
        searching.close_finders()

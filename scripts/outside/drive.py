"""The common part of the Python clients: lists the tools, calls each, and prints a line for each step.

A line "browser ADDRESS" asks the parent process to open the address in a browser. The address that the browser is then sent
to is read from standard input.
"""

import json
import os
import sys

address = os.environ["MCP_URL"]
key = os.environ.get("MCP_KEY")
# A local server to start instead, with its arguments.
command = json.loads(os.environ.get("MCP_COMMAND", "[]"))
calls = json.loads(os.environ["MCP_CALLS"])


def say(*words):
    print(*words, flush=True)


async def ask_browser(url):
    say("browser", url)


async def try_tools(client, names):
    say("listed", *names)
    for name in names:
        result = await client.call_tool(name, calls[name])
        is_error = getattr(result, "is_error", False) or getattr(result, "isError", False)
        content = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
        if is_error or not content:
            sys.exit(f"{name}: {result}")
        say("called", name)

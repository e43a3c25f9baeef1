import asyncio
import os

from drive import address, ask_browser, command, key, try_tools
from fastmcp import Client
from fastmcp.client.auth import OAuth
from fastmcp.client.transports import StdioTransport


class ByBrowser(OAuth):
    async def redirect_handler(self, authorization_url):
        await ask_browser(authorization_url)


async def main():
    local = command and Client(StdioTransport(command[0], command[1:], env=dict(os.environ)))
    async with local or Client(address, auth=key or ByBrowser()) as client:
        await try_tools(client, [tool.name for tool in await client.list_tools()])


asyncio.run(main())

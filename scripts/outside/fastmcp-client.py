import asyncio

from drive import address, ask_browser, key, try_tools
from fastmcp import Client
from fastmcp.client.auth import OAuth


class ByBrowser(OAuth):
    async def redirect_handler(self, authorization_url):
        await ask_browser(authorization_url)


async def main():
    async with Client(address, auth=key or ByBrowser()) as client:
        await try_tools(client, [tool.name for tool in await client.list_tools()])


asyncio.run(main())

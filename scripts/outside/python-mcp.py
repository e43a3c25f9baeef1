import asyncio
import os
import sys
from urllib.parse import parse_qs, urlparse

from drive import address, ask_browser, command, key, try_tools
from mcp import Client, StdioServerParameters
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata


class Memory:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def come_back():
    sent_to = await asyncio.to_thread(sys.stdin.readline)
    query = {name: values[0] for name, values in parse_qs(urlparse(sent_to.strip()).query).items()}
    return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


def by_browser():
    metadata = OAuthClientMetadata(client_name="Python mcp", redirect_uris=["http://127.0.0.1:43121/callback"])
    return OAuthClientProvider(address, metadata, Memory(), ask_browser, come_back)


async def use(server):
    async with Client(server) as client:
        listed = await client.list_tools()
        await try_tools(client, [tool.name for tool in listed.tools])


async def main():
    if command:
        return await use(StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ)))
    how = {"headers": {"Authorization": f"Bearer {key}"}} if key else {"auth": by_browser()}
    async with create_mcp_http_client(**how) as http:
        await use(streamable_http_client(address, http_client=http))


asyncio.run(main())

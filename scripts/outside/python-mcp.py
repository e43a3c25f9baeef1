import asyncio
import sys
from urllib.parse import parse_qs, urlparse

from drive import address, ask_browser, key, try_tools
from mcp import Client
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


async def main():
    how = {"headers": {"Authorization": f"Bearer {key}"}} if key else {"auth": by_browser()}
    async with create_mcp_http_client(**how) as http:
        async with Client(streamable_http_client(address, http_client=http)) as client:
            listed = await client.list_tools()
            await try_tools(client, [tool.name for tool in listed.tools])


asyncio.run(main())

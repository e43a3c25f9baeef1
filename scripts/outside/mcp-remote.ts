/** Runs `mcp-remote` between a client that only knows local servers and the endpoint, and reports as drive.py does. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program = ""] = process.argv.slice(2);
const {
  MCP_URL: address = "",
  MCP_KEY: key,
  MCP_CALLS: calls = "{}",
  HOME: home = "",
} = process.env;
const headers = key ? ["--header", `Authorization: Bearer ${key}`] : [];
const transport = new StdioClientTransport({
  command: "node",
  args: [program, address, ...headers],
  // A folder of its own, and no browser of this machine.
  env: {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    MCP_REMOTE_CONFIG_DIR: home,
    BROWSER: "true",
  },
  stderr: "pipe",
});
transport.stderr?.on("data", (chunk: Buffer) => {
  const text = chunk.toString();
  const sentTo = /https?:\/\/\S+\/oauth2\/authorize\?\S+/.exec(text)?.[0];
  if (sentTo) console.log(`browser ${sentTo}`);
  else process.stderr.write(text);
});
const client = new Client({ name: "behind-mcp-remote", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
console.log("listed", tools.map(({ name }) => name).join(" "));
for (const { name } of tools) {
  const result = await client.callTool({ name, arguments: JSON.parse(calls)[name] });
  if (result.isError || !result.structuredContent)
    throw new Error(`${name}: ${JSON.stringify(result)}`);
  console.log("called", name);
}
await client.close();
process.exit(0);

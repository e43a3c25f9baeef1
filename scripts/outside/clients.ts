/** Runs other people's MCP clients against a fresh server: by key, by signing in with a browser, and by the small local server. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Server, startServer } from "../fuzzing/program.ts";
import type { Browser } from "./browser.ts";
import { allow, signIn } from "./person.ts";

const here = import.meta.dir;
const tools = join(here, "../../.tools");
const commands: Readonly<Record<string, readonly string[]>> = {
  "python-mcp": [join(tools, "clients/bin/python"), join(here, "python-mcp.py")],
  fastmcp: [join(tools, "clients/bin/python"), join(here, "fastmcp-client.py")],
  "go-sdk": [join(tools, "go-sdk")],
  "mcp-remote": [
    ...["bun", join(here, "mcp-remote.ts")],
    join(tools, "mcp-remote/node_modules/mcp-remote/dist/proxy.js"),
  ],
};
const email = "person@example.com";
const password = "brave-heron-sails-71";
/** The most milliseconds for a client, far more than it needs. */
const clientMs = 120_000;

const names = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "roster-clients-"));
let failures = 0;
try {
  const server = await startServer(folder);
  const { key } = await server.command("account", "create", email, "--plan", "enterprise");
  const calls = JSON.stringify(await examplesOf(server));
  const browser = await signIn(server, email, password);
  const local = JSON.stringify(["node", unpackLocalServer(join(folder, "package"))]);
  for (const name of names) {
    const command = commands[name];
    if (!command)
      throw new Error(`unknown client "${name}"; known: ${Object.keys(commands).join(", ")}`);
    const base = { MCP_URL: `${server.address}/mcp`, MCP_CALLS: calls };
    await tryClient(`${name} by key`, command, { ...base, MCP_KEY: key }, browser);
    await tryClient(`${name} by browser`, command, base, browser);
    // This one is such a local server itself.
    if (name === "mcp-remote") continue;
    const env = { ROSTER_URL: server.address, ROSTER_API_KEY: key, MCP_COMMAND: local };
    await tryClient(`${name} by roster-mcp`, command, { ...base, ...env }, browser);
  }
  for (const complaint of await server.complaints()) {
    console.log(complaint);
    failures += 1;
  }
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

async function tryClient(
  what: string,
  command: readonly string[],
  own: Readonly<Record<string, string>>,
  browser: Browser,
): Promise<void> {
  const home = join(folder, what.replaceAll(" ", "-"));
  mkdirSync(home);
  const child = Bun.spawn([...command], {
    cwd: home,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...own },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    timeout: clientMs,
  });
  const complaint = new Response(child.stderr).text();
  let isSignedIn = false;
  let rest = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream() as never)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("browser ")) {
        console.log(`${what}: ${line}`);
        continue;
      }
      const back = await allow(browser, line.slice("browser ".length));
      isSignedIn = true;
      child.stdin.write(`${back}\n`);
      child.stdin.flush();
      void deliver(back, child);
    }
  }
  const exitCode = await child.exited;
  const isRight = exitCode === 0 && isSignedIn === !("MCP_KEY" in own || "MCP_COMMAND" in own);
  console.log(`${what}: ${isRight ? "ok" : `FAILED with ${exitCode}`}`);
  if (isRight) return;
  failures += 1;
  console.log((await complaint).slice(-3000));
}

/** @returns the path of the program in the package of a release. */
function unpackLocalServer(into: string): string {
  mkdirSync(into);
  const script = join(here, "../releasing/assistants.ts");
  const unpack = `'${process.execPath}' '${script}' . && tar -xzf ./*.tgz`;
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", unpack], { cwd: into });
  if (exitCode !== 0) throw new Error(`${unpack}: ${stderr}`);
  return join(into, "package/roster-mcp.mjs");
}

/** Some clients listen at that address themselves, and some of those only after they have sent their user away. */
async function deliver(back: string, child: Bun.Subprocess): Promise<void> {
  while (child.exitCode === null) {
    const isDelivered = await fetch(back).then(
      () => true,
      () => false,
    );
    if (isDelivered) return;
    await Bun.sleep(200);
  }
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": {
        readonly example?: unknown;
        readonly examples?: { readonly "all-fields": { readonly value: unknown } };
      };
    };
  };
}

/** @returns the arguments for each tool: the example of its operation. */
async function examplesOf({ address }: Server): Promise<Readonly<Record<string, unknown>>> {
  const document = (await (await fetch(`${address}/v1/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return Object.fromEntries(
    operations.map(({ operationId, parameters = [], requestBody }) => {
      const given = parameters
        .filter(({ example }) => example !== undefined)
        .map(({ name, example }) => [name, example]);
      const { example, examples } = requestBody?.content["application/json"] ?? {};
      const body = examples ? examples["all-fields"].value : example;
      return [operationId, { ...Object.fromEntries(given), ...(body as object | undefined) }];
    }),
  );
}

/** Runs MCP clients of others against a fresh server: by key, and by signing in at a browser. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Server, startServer } from "../fuzzing/program.ts";
import { type Browser, type Form, openBrowser, type Page } from "../fuzzing/web/browser.ts";

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
/** Far longer than a client needs: whoever takes longer waits in vain. */
const clientMs = 120_000;

const names = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "roster-clients-"));
let failures = 0;
try {
  const server = await startServer(folder);
  const { key } = await server.command("account", "create", email, "--plan", "enterprise");
  const calls = JSON.stringify(await examplesOf(server));
  const browser = await signIn(server);
  for (const name of names) {
    const command = commands[name];
    if (!command)
      throw new Error(`unknown client "${name}"; known: ${Object.keys(commands).join(", ")}`);
    const base = { MCP_URL: `${server.address}/mcp`, MCP_CALLS: calls };
    await tryClient(`${name} by key`, command, { ...base, MCP_KEY: key }, browser);
    await tryClient(`${name} by browser`, command, base, browser);
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
      // Some listen there themselves.
      await fetch(back).catch(() => undefined);
    }
  }
  const exitCode = await child.exited;
  const isRight = exitCode === 0 && isSignedIn === !("MCP_KEY" in own);
  console.log(`${what}: ${isRight ? "ok" : `FAILED with ${exitCode}`}`);
  if (isRight) return;
  failures += 1;
  console.log((await complaint).slice(-3000));
}

/** Goes where a client sends its person, and says yes. @returns where the browser is sent back to. */
async function allow(browser: Browser, address: string): Promise<string> {
  let path = address;
  let page = await browser.ask(path);
  for (let hops = 0; page.headers.has("location") && hops < 5; hops += 1) {
    path = page.headers.get("location") ?? "";
    page = await browser.ask(path);
  }
  const form = page.forms.find(({ fields }) => fields.some(({ value }) => value === "allow"));
  if (!form) throw new Error(`no consent is asked for at ${path}: ${page.status}`);
  const sent = await send(browser, path, form, {});
  const back =
    /url=(.+)$/.exec(sent.headers.get("refresh") ?? "")?.[1] ?? sent.headers.get("location");
  if (!back) throw new Error(`nobody is sent back from ${path}: ${sent.status}`);
  return back;
}

function send(
  browser: Browser,
  path: string,
  form: Form,
  own: Record<string, string>,
): Promise<Page> {
  const body = new URLSearchParams();
  for (const { name, value } of form.fields) body.set(name, own[name] ?? value);
  return browser.ask(form.action || path, { method: "POST", body });
}

/** Takes the account by a link, as its holder would. */
async function signIn(server: Server): Promise<Browser> {
  const { link } = await server.command("account", "reset", email);
  const path = `/reset-password${new URL(link).search}`;
  const browser = openBrowser(server.address);
  const [form] = (await browser.ask(path)).forms.filter(({ fields }) =>
    fields.some(({ name }) => name === "password"),
  );
  const done = form && (await send(browser, path, form, { password }));
  if (done?.status !== 303) throw new Error("the person could not sign in");
  return browser;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly example: unknown } };
  };
}

/** What each tool is asked: the example of the operation that it stands for. */
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
      const body = requestBody?.content["application/json"].example;
      return [operationId, { ...Object.fromEntries(given), ...(body as object | undefined) }];
    }),
  );
}

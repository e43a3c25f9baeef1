/** The examples of docs/operation.md, run: nginx and Caddy before Roster, at a port, at a socket and below a path. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { freePort } from "../faults/server-process.ts";

const text = readFileSync(join(import.meta.dir, "../../docs/operation.md"), "utf8");
const examples = (language: string) =>
  [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter(([, name]) => name === language)
    .map(([, , code = ""]) => code);
const [nginx = "", nginxBelow = ""] = examples("nginx");
const [caddy = ""] = examples("caddy");

// Their workers are other users.
const folder = mkdtempSync(join(tmpdir(), "roster-proxies-"));
mkdirSync(join(folder, "logs"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (name: string) => Bun.which(name, { PATH: `${process.env["PATH"]}:/usr/sbin` });

/** Replaces what must differ in a test, each of which must stand in the example. */
function adapt(example: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((adapted, [from, to]) => {
    expect(adapted).toContain(from);
    return adapted.replaceAll(from, to);
  }, example);
}

function startNginx(example: string): Bun.Subprocess {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  const site = `${temporary}\naccess_log off;\n${example}`;
  const main = `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${site}\n}\n`;
  writeFileSync(join(folder, "nginx.conf"), main);
  const command = [
    program("nginx") as string,
    "-e",
    join(folder, "nginx.log"),
    "-p",
    folder,
    "-c",
    join(folder, "nginx.conf"),
  ];
  return Bun.spawn(command, { stdout: "ignore", stderr: "inherit" });
}

function startCaddy(example: string): Bun.Subprocess {
  writeFileSync(join(folder, "Caddyfile"), `{\n  admin off\n  auto_https off\n}\n${example}`);
  const command = [
    program("caddy") as string,
    "run",
    "--adapter",
    "caddyfile",
    "--config",
    join(folder, "Caddyfile"),
  ];
  const env = { HOME: folder, PATH: process.env["PATH"] ?? "" };
  return Bun.spawn(command, { env, stdout: "ignore", stderr: "ignore" });
}

interface Setup {
  readonly roster: TestAppliance;
  readonly at: string;
  readonly port: number;
}

async function within(
  config: { readonly host?: string; readonly path?: string },
  start: (setup: Setup & { readonly backend: string }) => Bun.Subprocess,
  use: (setup: Setup) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const at = `http://127.0.0.1:${port}${config.path ?? ""}`;
  const { host = "127.0.0.1" } = config;
  const trustedProxies = host.startsWith("unix:") ? [] : ["127.0.0.1"];
  const roster = await openTestAppliance({ config: { publicUrl: at, host, trustedProxies } });
  const own = roster.listen();
  const proxy = start({
    roster,
    at,
    port,
    backend: host.startsWith("unix:") ? host : new URL(own).host,
  });
  try {
    while (!(await fetch(`${at}/livez`).catch(() => undefined))?.ok) {
      if (proxy.exitCode !== null) throw new Error("the proxy ended");
      await Bun.sleep(20);
    }
    await use({ roster, at, port });
  } finally {
    proxy.kill();
    await proxy.exited;
    await roster.close();
  }
}

async function expectService({ roster, at, port }: Setup): Promise<void> {
  const { key } = await roster.newAccount("pro");
  const headers = { "x-api-key": key };
  // Longer than one connection is kept, by count: none of them may meet a closed one.
  for (let call = 0; call < 50; call++) {
    expect((await fetch(`${at}/v1/users/ada-example`, { headers })).status).toBe(200);
  }
  // The nearest proxy says who it was, whatever the caller claims. At a port, this caller has the proxy's address too.
  await fetch(`${at}/v1/users/nobody`, {
    headers: { ...headers, "x-forwarded-for": "203.0.113.1" },
  });
  expect(roster.log()).toContain('"client":"127.0.0.1"');
  const isSocket = roster.config.host.startsWith("unix:");
  if (isSocket) expect(roster.log()).not.toContain('"client":"203.0.113.1"');
  const page = await (await fetch(`${at}/sign-in`, { headers: { accept: "text/html" } })).text();
  const style = /href="([^"]+\.css[^"]*)"/.exec(page)?.[1] as string;
  expect((await fetch(new URL(style, at))).status).toBe(200);
  const challenged = await fetch(`${at}/mcp`, { method: "POST", body: "{}" });
  const metadata = /resource_metadata="([^"]+)"/.exec(
    challenged.headers.get("www-authenticate") ?? "",
  );
  const resource = (await (await fetch(metadata?.[1] as string)).json()) as { resource: string };
  expect(resource.resource).toBe(`${at}/mcp`);
  const { pathname } = new URL(at);
  const path = `/.well-known/oauth-authorization-server${pathname === "/" ? "" : pathname}`;
  const server = (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as {
    issuer: string;
  };
  expect(server.issuer).toBe(at);
}

describe.skipIf(!program("nginx"))("nginx (skipped where it is not installed)", () => {
  const adapted = (port: number, backend: string) =>
    adapt(nginx, {
      "listen 443 ssl;": `listen 127.0.0.1:${port};`,
      "ssl_certificate /etc/ssl/roster.pem;": "",
      "ssl_certificate_key /etc/ssl/private/roster.pem;": "",
      "server 127.0.0.1:7171;": `server ${backend};`,
    });

  test("at a port", async () => {
    await within({}, ({ port, backend }) => startNginx(adapted(port, backend)), expectService);
  }, 300_000);

  test("at a socket", async () => {
    const host = `unix:${folder}/nginx.sock`;
    await within(
      { host },
      ({ port, backend }) => startNginx(adapted(port, backend)),
      expectService,
    );
  }, 300_000);

  test("below a path", async () => {
    const start = ({ port, backend }: { port: number; backend: string }) => {
      const whole = adapted(port, backend);
      const root = whole.slice(whole.indexOf("  location / {"), whole.lastIndexOf("}"));
      return startNginx(whole.replace(root, nginxBelow));
    };
    await within({ path: "/roster" }, start, expectService);
  }, 300_000);
});

describe.skipIf(!program("caddy"))("Caddy (skipped where it is not installed)", () => {
  for (const host of ["127.0.0.1", "unix:"]) {
    test(`at a ${host === "unix:" ? "socket" : "port"}`, async () => {
      const start = ({ port, backend }: { port: number; backend: string }) =>
        startCaddy(
          adapt(caddy, {
            "roster.example": `http://127.0.0.1:${port}`,
            "127.0.0.1:7171": backend.replace(/^unix:/, "unix/"),
          }),
        );
      const config = host === "unix:" ? { host: `unix:${folder}/caddy.sock` } : {};
      await within(config, start, expectService);
    }, 300_000);
  }
});

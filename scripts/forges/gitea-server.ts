/** Runs a Gitea of its own in a fresh folder, on this machine's loopback only. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../../test/faults/server-process.ts";
import { giteaStatics } from "./gitea-build.ts";

export interface Gitea {
  /** Without a slash at the end. */
  readonly url: string;
  /** The part of noreply addresses after the @. */
  readonly noreplyHost: string;
  /** A token of the administrator `root1` with all rights. */
  readonly token: string;
  /** Calls the API as the administrator, or as another user. @throws when the status is not 2xx. */
  call<T = unknown>(method: string, path: string, body?: unknown, as?: GiteaCaller): Promise<T>;
  makeToken(login: string, scopes: readonly string[]): string;
  stop(): Promise<void>;
}

type GiteaCaller = { readonly login: string } | { readonly token: string };

const template = join(import.meta.dir, "../../test/ingest/forges/gitea/app.ini");
const patience = 120_000;

/** @param folder empty; holds everything that this Gitea writes. */
export async function startGitea(binary: string, folder: string): Promise<Gitea> {
  const port = await freePort();
  const settings = join(folder, "app.ini");
  writeFileSync(settings, fillTemplate(folder, port, dirname(binary)));
  mkdirSync(join(folder, "repos"), { recursive: true });
  let made = 0;
  const admin = (...command: string[]) => runGitea(binary, settings, command);
  admin("migrate");
  const password = ["--password", randomBytes(12).toString("hex"), "--must-change-password=false"];
  const who = ["--username", "root1", "--email", "root1@corp.example"];
  admin("admin", "user", "create", "--admin", ...who, ...password);
  const makeToken = (login: string, scopes: readonly string[]): string => {
    const what = ["--token-name", `made-${++made}`, "--scopes", scopes.join(","), "--raw"];
    const said = admin("admin", "user", "generate-access-token", "--username", login, ...what);
    // A busy database may have a warning printed beside it.
    const token = /^[0-9a-f]{40}$/m.exec(said)?.[0];
    if (token === undefined) throw new Error(`Gitea made no token for ${login}: ${said}`);
    return token;
  };
  const token = makeToken("root1", ["all"]);
  const log = Bun.file(join(folder, "gitea.log"));
  const server = Bun.spawn([binary, "--config", settings, "web"], { stdout: log, stderr: log });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(url, server, folder);
  return {
    url,
    noreplyHost: "noreply.forge.example",
    token,
    makeToken,
    call: (method, path, body, as) => callGitea(url, method, path, body, { token, ...as }),
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}

function fillTemplate(folder: string, port: number, built: string): string {
  const values: Record<string, () => string> = {
    USER: () => Bun.spawnSync(["id", "-un"]).stdout.toString().trim(),
    WORK: () => folder,
    PORT: () => String(port),
    STATIC: () => join(built, giteaStatics),
    MADE_PER_RUN: () => randomBytes(32).toString("base64url"),
  };
  return readFileSync(template, "utf8").replace(/@([A-Z_]+)@/g, (whole, word: string) => {
    const value = values[word];
    return value ? value() : whole;
  });
}

function runGitea(binary: string, settings: string, command: readonly string[]): string {
  const done = Bun.spawnSync([binary, "--config", settings, ...command]);
  if (done.exitCode === 0) return done.stdout.toString();
  throw new Error(`gitea ${command.join(" ")}: ${done.stdout}${done.stderr}`);
}

async function waitUntilHealthy(
  url: string,
  server: Bun.Subprocess,
  folder: string,
): Promise<void> {
  const end = Date.now() + patience;
  while (server.exitCode === null && Date.now() < end) {
    const answer = await fetch(`${url}/api/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await Bun.sleep(100);
  }
  server.kill();
  throw new Error(`Gitea did not start: ${readFileSync(join(folder, "gitea.log"), "utf8")}`);
}

async function callGitea<T>(
  url: string,
  method: string,
  path: string,
  body: unknown,
  { token, login }: { readonly token: string; readonly login?: string },
): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(login !== undefined && { sudo: login }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as T;
}

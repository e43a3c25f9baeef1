/**
 * Fills a data folder with a bit of everything that must outlive an upgrade, by the commands and pages of a release,
 * as far as it has them:
 *
 *     ROSTER_EXECUTABLE=path/to/roster bun test/upgrade/fill-folder.ts FILLED.tar.zst
 *
 * The people are invented, and the secrets open nothing but this folder.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram, type Server, startServer } from "../../scripts/fuzzing/program.ts";
import { allow, signIn } from "../../scripts/outside/person.ts";
import { type Authorship, makeRepository } from "./repository.ts";

/** What the folder holds, as an outsider knows it. What a release did not have yet is absent. */
export interface FilledFolder extends Partial<SignedIn> {
  /** When it was filled; ISO 8601, UTC. */
  readonly at: string;
  readonly address: string;
  readonly email: string;
  readonly key: string;
  /** A key that another one has replaced. */
  readonly oldKey: string;
  /** Calls counted on the account. */
  readonly used: number;
  /** Everybody in the pool; the first is in its git histories. */
  readonly logins: readonly string[];
  readonly forgotten?: { readonly login: string; readonly email: string };
}

interface SignedIn {
  /** The cookie of a browser that is signed in. */
  readonly cookie: string;
  readonly clientId: string;
  readonly refreshToken: string;
}

const email = "person@example.com";
const ada = { name: "Ada Example", email: "ada@example.com" };
const adaAtWork = { name: "A. Example", email: "aexample@work.example" };
const bob = { name: "Bob Sample", email: "bob@example.com" };
const carl = { name: "Carl Gone", email: "carl@example.com" };
const dora = {
  ...{ login: "dora-sample", source: "file", profile: { name: "Dora Sample" } },
  emails: [{ address: "dora@example.com", sources: ["file"], published: true }],
  ...{ repositories: [], evidence: [] },
};
const authors: readonly Authorship[] = [ada, bob, carl, adaAtWork].map((author, index) => {
  return { author, commits: index + 3 };
});

const [archive] = process.argv.slice(2);
if (archive === undefined) throw new Error("name the archive to write");
const folder = mkdtempSync(join(tmpdir(), "roster-upgrade-"));
try {
  mkdirSync(join(folder, "repository"));
  makeRepository(join(folder, "repository"), authors);
  const server = await startServer(folder, ["--no-demo"]);
  const known = await fill(server);
  await server.stop();
  writeFileSync(join(folder, "known.json"), `${JSON.stringify(known, undefined, 2)}\n`);
  const packed = Bun.spawnSync(["tar", "-C", folder, "-c", "data", "repository", "known.json"]);
  writeFileSync(archive, Bun.zstdCompressSync(packed.stdout, { level: 19 }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(server: Server): Promise<FilledFolder> {
  const help = `${await print("--help")} ${await print("account", "--help")}`;
  const offers = (command: string) => new RegExp(`^ {2}${command} `, "m").test(help);
  await server.command("ingest", "git", join(folder, "repository"));
  const facts = join(folder, "facts.jsonl");
  writeFileSync(facts, `${JSON.stringify(dora)}\n`);
  await server.command("import", facts);
  const { key: oldKey } = await server.command("account", "create", email, "--plan", "pro");
  const { key } = await server.command("key", "regenerate", email);
  if (offers("identity")) await server.command("identity", "merge", ada.email, adaAtWork.email);
  const everybody = await listLogins();
  const forgotten = {
    login: everybody.find((login) => login.startsWith("carl")) ?? "",
    email: carl.email,
  };
  if (offers("forget")) await server.command("forget", carl.email);
  let used = 0;
  for (const login of everybody) {
    const headers = { "x-api-key": key };
    const response = await fetch(`${server.address}/v1/users/${login}`, { headers });
    const answer = (await response.json()) as { meta: { quota: { used: number } } };
    used = answer.meta.quota.used;
  }
  return {
    ...{ at: new Date().toISOString(), address: server.address, email, key, oldKey, used },
    logins: await listLogins(),
    ...(offers("forget") ? { forgotten } : {}),
    ...(offers("reset") ? await signInWithAssistant(server) : {}),
  };
}

async function print(...argv: string[]): Promise<string> {
  return (await runProgram(folder, argv)).stdout;
}

async function listLogins(): Promise<readonly string[]> {
  const lines = await print("export", "-", "--data", join(folder, "data"));
  return [...lines.matchAll(/"login":"([^"]+)"/g)].map(([, login = ""]) => login).sort();
}

async function signInWithAssistant(server: Server): Promise<SignedIn> {
  const browser = await signIn(server, email, "brave-heron-sails-71");
  const cookie = [...browser.jar].map((pair) => pair.join("=")).join("; ");
  return { cookie, ...(await connectAssistant(server, browser)) };
}

/** Registers, sends the person through, and redeems the code. */
async function connectAssistant(
  { address }: Server,
  browser: Awaited<ReturnType<typeof signIn>>,
): Promise<{ readonly clientId: string; readonly refreshToken: string }> {
  const redirectUri = "http://127.0.0.1:43117/callback";
  const registered = await fetch(`${address}/oauth2/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Upgraded", redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = "upgrade".repeat(8);
  const back = await allow(
    browser,
    `/oauth2/authorize?${new URLSearchParams({
      ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s" },
      scope: "search profile offline_access",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      ...{ code_challenge_method: "S256", resource: `${address}/mcp` },
    })}`,
  );
  const tokens = await fetch(`${address}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirectUri },
      code: new URL(back).searchParams.get("code") ?? "",
      ...{ code_verifier: verifier, resource: `${address}/mcp` },
    }),
  });
  const { refresh_token: refreshToken } = (await tokens.json()) as { refresh_token: string };
  return { clientId, refreshToken };
}

/**
 * Text that others wrote reaches terminals and logs without escapes, hidden letters or line ends. Runs the program on a hostile
 * folder, author, repository, address, key and file.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { freePort, program } from "../faults/server-process.ts";
import { inventRepository, temporaryFolder } from "../ingest/git/invented-repository.ts";
import { isLong } from "../long.ts";

const world = temporaryFolder();
afterAll(() => world.remove());

/** Escapes of 7 and 8 bits, a bell, directions of reading, tags, nothing visible, line ends of every kind. */
const tricks = "\x1b[31mred\x1b]0;title\x07\u009b2J\u202egpj\u2066\u{e0041}\u200b\ufeff\u2028\r";
const forged = "roster: all is well";
const hostile = `${tricks}\n${forged}`;

const data = join(world.path, `data ${hostile}`);
const shelf = join(world.path, `shelf ${hostile}`);

async function run(...argv: string[]) {
  const command = [...program, ...argv, "--data", data];
  return readOutput(Bun.spawn(command, { stdout: "pipe", stderr: "pipe" }));
}

/** Expects no control characters but line ends, and no line that the hostile text begins. */
function expectPrintable(text: string): void {
  expect(text.match(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu) ?? []).toEqual([]);
  expect(text.split("\n")).not.toContain(forged);
}

test("of repositories, folders, authors and their addresses", async () => {
  const author = `Ada ${tricks.replace("\r", "")} Example <ada${tricks.replace("\r", "")}@example.com>`;
  const other = author.replace("@example.com", "@example.org");
  const bot = "bot\u202e-tricks[bot] <bot@example.net>";
  inventRepository(join(shelf, `one ${hostile}`), [
    { author, message: hostile },
    { author: other, message: `fix: ${hostile}` },
    { author: bot },
  ]);
  mkdirSync(join(shelf, `broken ${hostile}`), { recursive: true });
  writeFileSync(join(shelf, `broken ${hostile}`, "HEAD"), hostile);
  const read = await run("ingest", "git", shelf, join(shelf, `broken ${hostile}`));
  expect(read.code).toBe(3);
  expect(read.err).toContain("left out");
  expectPrintable(read.out + read.err);
  const known = await run("identity", "list", "--json");
  const logins = (JSON.parse(known.out) as { login: string }[]).map(({ login }) => login);
  for (const argv of [
    ["ingest", "git", shelf, "--json"],
    ["ingest", "list"],
    ["ingest", "list", "--json"],
    ["identity", "list"],
    ["identity", "list", "--json"],
    ["identity", "suggestions"],
    ...(isLong ? logins : logins.slice(0, 1)).flatMap((login) => [
      ["identity", "list", login],
      ["get", login],
      ["analyze", login],
      ["explain", login],
      ["person", "export", login],
    ]),
    ["search", "Worldwide"],
    ["ingest", "forget", hostile],
  ]) {
    const { out, err } = await run(...argv);
    expectPrintable(out + err);
  }
  // The data are as they were: escaped on the way, and read back the same.
  const listed = JSON.parse((await run("ingest", "list", "--json")).out) as { path: string }[];
  expect(listed.map(({ path }) => path)).toEqual([join(shelf, `one ${hostile}`)]);
  const gone = await run("ingest", "forget", join(shelf, `one ${hostile}`));
  expect(gone.err).toContain("forgotten:");
  expectPrintable(gone.out + gone.err);
}, 300_000);

test("of a file that is imported, its keys and its values", async () => {
  const file = join(world.path, `people ${hostile}.jsonl`);
  const person = {
    ...{ source: "import", login: "ada", profile: {}, emails: [] },
    ...{ repositories: [], evidence: [] },
  };
  const lines = [
    { ...person, [hostile]: 1 },
    { ...person, login: hostile },
    { ...person, profile: { name: 5, [hostile]: hostile } },
    hostile,
  ].map((each) => JSON.stringify(each));
  writeFileSync(file, `${lines.join("\n")}\n{"${tricks}\n`);
  for (const argv of [
    ["import", file],
    ["import", file, "--strict"],
    ["import", file, "--json"],
    ["import", join(world.path, hostile)],
    ["export", join(world.path, hostile, "people.jsonl")],
  ]) {
    const { code, out, err } = await run(...argv);
    expect(code).not.toBe(0);
    expect(err).not.toBe("");
    expectPrintable(out + err);
  }
}, 300_000);

test("of what is typed, and of a server's folder and log", async () => {
  for (const argv of [
    [hostile],
    ["search", hostile],
    ["get", hostile],
    ["explain", hostile],
    ["places", "explain", hostile],
    ["account", "show", hostile],
    ["account", "create", hostile],
    ["forget", hostile],
    ["config", "show"],
    ["config", "show", "--json"],
    ["search", "Berlin", "--skills", hostile],
    ["identity", "merge", hostile, hostile],
    ["rescore", "--as-of", hostile],
  ]) {
    const { out, err } = await run(...argv);
    expect(out + err).not.toBe("");
    expectPrintable(out + err);
  }
  const port = await freePort();
  const argv = ["serve", "--data", data, "--port", String(port), "--log-level", "debug"];
  const server = Bun.spawn([...program, ...argv], { stdout: "pipe", stderr: "pipe" });
  const address = `http://127.0.0.1:${port}`;
  // A server that still starts answers too, and says nothing yet.
  while (!(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) await Bun.sleep(100);
  const path = encodeURIComponent(hostile);
  await fetch(`${address}/v1/users/${path}?${path}=${path}`, {
    headers: { "x-request-id": "\u009b2J\u00ad", "user-agent": "\u009b2J" },
  });
  server.kill("SIGTERM");
  const [out, err] = await Promise.all([
    new Response(server.stdout).text(),
    new Response(server.stderr).text(),
  ]);
  expect(out).toContain("Roster");
  expectPrintable(out + err);
}, 300_000);

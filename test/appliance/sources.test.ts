/** Sources of the settings: by the command line, by a server that asks them itself, and on its page. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endServersAfterEach, freePort, sourceProgram } from "../faults/server-process.ts";
import { inventForge } from "../ingest/forges/invented-forge.ts";
import { openProgram } from "../ingest/forges/program.ts";

endServersAfterEach();

type Program = ReturnType<typeof openProgram>;

function configure({ data }: Program, url: string, more = ""): void {
  mkdirSync(data, { recursive: true });
  const token = join(data, "corp.token");
  writeFileSync(token, "secret-token\n");
  chmodSync(token, 0o600);
  writeFileSync(
    join(data, "roster.toml"),
    `[[sources]]\nid = "corp"\nkind = "gitea"\nurl = "${url}"\ntokenFile = "corp.token"\nselect = ["all"]\n${more}`,
  );
}

test("a source is listed before it was asked, refreshed, and forgotten with what it told", async () => {
  await using forge = inventForge();
  using roster = openProgram();
  forge.accounts.set(1, { login: "ada", name: "Ada Forge", location: "Berlin" });
  configure(roster, forge.url);
  await roster.call("export", "-").catch(() => undefined);
  await roster.call("sources", "refresh", "corp");
  const [listed] = JSON.parse(await roster.call("sources", "list", "--json"));
  expect(listed).toMatchObject({ id: "corp", kind: "gitea", people: 1, lastRun: { hidden: 0 } });
  expect(forge.asked[0]?.headers.get("authorization")).toBe("Bearer secret-token");
  expect(await roster.call("search", "Berlin")).toContain("ada");
  const unknown = await roster.attempt(["sources", "refresh", "else"]);
  expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining("it has corp")]);
  await roster.call("sources", "forget", "corp");
  expect(await roster.people()).toEqual([]);
  expect(roster.filesWith("Ada Forge").filter((path) => path.endsWith("forges.db"))).toEqual([]);
  expect((await roster.attempt(["sources", "forget", "corp"])).code).toBe(4);
  expect(roster.filesWith("secret-token")).toEqual([join(roster.data, "corp.token")]);
}, 120_000);

test("settings that cannot be meant are refused by name", async () => {
  using roster = openProgram();
  const cases: readonly (readonly [string, string])[] = [
    ["select = []\n", "select"],
    ["everyHours = 0\n", "everyHours must be a whole number from 1 to 8760"],
    ["everyHour = 3\n", "everyHour"],
  ];
  for (const [text, said] of cases) {
    configure(roster, "https://git.corp.example", "");
    const path = join(roster.data, "roster.toml");
    const before = await Bun.file(path).text();
    writeFileSync(
      path,
      `${text.startsWith("select") ? before.replace(/select.*\n/, text) : before + text}`,
    );
    const { code, err } = await roster.attempt(["sources", "list"]);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(err).toContain("sources, entry 1");
  }
  configure(roster, "http://git.corp.example");
  const { code, err } = await roster.attempt(["sources", "refresh"]);
  expect([code, err]).toEqual([2, expect.stringContaining("must begin with https://")]);
  chmodSync(join(roster.data, "corp.token"), 0o644);
  const open = await roster.attempt(["sources", "refresh"]);
  expect(open.err).toContain("may be read by others: its mode must be 0600");
}, 120_000);

test("a server asks by itself, in a process of its own", async () => {
  await using forge = inventForge();
  using roster = openProgram();
  forge.accounts.set(1, { login: "ada", name: "Ada Forge", location: "Berlin" });
  configure(roster, forge.url);
  const port = await freePort();
  const args = ["serve", "--port", String(port), "--data", roster.data];
  const server = Bun.spawn([...sourceProgram, ...args, "--no-demo"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  try {
    const reader = new Response(
      server.stderr,
    ).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    let log = "";
    while (!log.includes("a forge was read")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(log);
      log += new TextDecoder().decode(value);
    }
    expect(log).not.toContain("secret-token");
    reader.releaseLock();
  } finally {
    server.kill();
    await server.exited;
  }
  expect((await roster.people()).map(({ login }) => login)).toEqual(["ada"]);
}, 120_000);

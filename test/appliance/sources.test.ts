/** Sources of the settings: by the command line, by a server that asks them itself, and on its page. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openOffice } from "../faults/office.ts";
import { endServersAfterEach, freePort, program } from "../faults/server-process.ts";
import { inventForge } from "../ingest/forges/invented-forge.ts";
import { openProgram, serveProxy } from "../ingest/forges/program.ts";
import { goodPassword, openPersonAt } from "../interfaces/web/person.ts";

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
  expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining("the sources are corp")]);
  await roster.call("sources", "forget", "corp");
  expect(await roster.people()).toEqual([]);
  expect(roster.filesWith("Ada Forge").filter((path) => path.endsWith("forges.db"))).toEqual([]);
  expect((await roster.attempt(["sources", "forget", "corp"])).code).toBe(4);
  expect(roster.filesWith("secret-token")).toEqual([join(roster.data, "corp.token")]);
}, 300_000);

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
  expect(open.err).toContain("other users can read it: set its mode to 0600");
}, 300_000);

test("a server asks by itself, in a process of its own, and says so on its page", async () => {
  await using forge = inventForge();
  using roster = openProgram();
  forge.accounts.set(1, { login: "ada", name: "Ada Forge", location: "Berlin" });
  forge.accounts.set(2, { login: "hana", visibility: "private" });
  configure(roster, forge.url);
  const { server, address } = await startProgram(roster);
  try {
    const log = followLog(server.stderr);
    await log.until("a run ended");
    const person = await signIn(roster, address);
    const shown = await person.open("/admin/sources");
    expect(shown.text).toContain(`${forge.url} · all`);
    expect(shown.text).toContain("settings file");
    expect(shown.text).toContain("1 person, 0 repositories");
    expect(shown.text).toContain("1 hidden");
    const asked = forge.asked.length;
    const sent = await person.send("/admin/sources", "refresh", { source: "corp" });
    expect(sent.text).toContain("corp will be read in a moment.");
    await log.until("a run ended");
    expect(forge.asked.length).toBeGreaterThan(asked);
    const unknown = await person.send("/admin/sources", "refresh", { source: "else" });
    expect([unknown.status, unknown.text]).toEqual([
      400,
      expect.stringContaining("There is no source else."),
    ]);
    forge.before = () => new Response("", { status: 401 });
    await person.send("/admin/sources", "refresh", { source: "corp" });
    await log.until("a source could not be read");
    const faulty = await person.open("/admin/sources");
    expect(faulty.text).toContain("The token of source corp was refused (401).</p>");
    expect(faulty.text).toContain("Enter a new token.");
    const entries = await person.open("/admin/audit?action=source");
    expect(entries.text.match(/requested a read/g)?.length).toBeGreaterThanOrEqual(2);
    expect(log.text()).not.toContain("secret-token");
    expect((await openPersonAt(address).open("/admin/sources")).at).toStartWith("/sign-in");
  } finally {
    server.kill();
    await server.exited;
  }
  expect((await roster.people()).map(({ login }) => login)).toEqual(["ada"]);
}, 300_000);

test.skipIf(availableParallelism() < 2)(
  "a server asks two forges side by side, and its page shows how far each is",
  async () => {
    await using one = inventForge();
    await using other = inventForge();
    one.accounts.set(1, { login: "ada" });
    other.accounts.set(1, { login: "ben" });
    using roster = openProgram();
    const released = Promise.withResolvers<void>();
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    await using first = serveProxy(one.url, (number) => {
      if (number < 2) return;
      asked[0].resolve();
      return released.promise;
    });
    await using second = serveProxy(other.url, (number) => {
      if (number < 2) return;
      asked[1].resolve();
      return released.promise;
    });
    configure(roster, first.url);
    const path = join(roster.data, "roster.toml");
    const corp = readFileSync(path, "utf8");
    writeFileSync(path, corp + corp.replaceAll("corp", "labs").replace(first.url, second.url));
    writeFileSync(join(roster.data, "labs.token"), "secret-token\n", { mode: 0o600 });
    const { server, address } = await startProgram(roster);
    try {
      const log = followLog(server.stderr);
      await Promise.all(asked.map(({ promise }) => promise));
      const person = await signIn(roster, address);
      for (const id of ["corp", "labs"]) {
        let shown = "";
        while (!shown.includes(`Progress of ${id}`)) {
          // Leaves the server time for other work.
          await Bun.sleep(50);
          shown = (await person.open("/admin/sources")).text;
          expect(shown.match(/>reading<\/span>/g)).toHaveLength(2);
        }
      }
      released.resolve();
      await log.until("a run ended");
      await log.until("a run ended");
    } finally {
      released.resolve();
      server.kill();
      await server.exited;
    }
    expect((await roster.people()).map(({ login }) => login)).toEqual(["ada", "ben"]);
  },
  300_000,
);

async function startProgram({ data }: Program) {
  const port = await freePort();
  const args = ["serve", "--port", String(port), "--data", data, "--no-demo"];
  const server = Bun.spawn([...program, ...args], { stdout: "ignore", stderr: "pipe" });
  return { server, address: `http://127.0.0.1:${port}` };
}

async function signIn({ data }: Program, address: string) {
  const person = openPersonAt(address);
  const office = await openOffice(data);
  const { token } = await office.accounts.makeLink("admin@localhost", "set-up");
  office.close();
  const secrets = { email: "boss@mail.example", password: goodPassword };
  await person.send(`/set-up?token=${token}`, "redeem", secrets);
  return person;
}

function followLog(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let seen = 0;
  return {
    text: () => text,
    /** Waits for these words after the ones that the last call found. */
    async until(words: string): Promise<void> {
      for (let at = text.indexOf(words, seen); at < 0; at = text.indexOf(words, seen)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`It ended before "${words}":\n${text}`);
        text += decoder.decode(value, { stream: true });
      }
      seen = text.indexOf(words, seen) + words.length;
    },
  };
}

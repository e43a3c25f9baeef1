/** The pages of sources: an address is checked, what was found is shown and read, and a source is changed, hooked and removed. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAppliance } from "../../../appliance.ts";
import { program } from "../../../faults/server-process.ts";
import { inventForge } from "../../../ingest/forges/invented-forge.ts";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { expectAnswer, goodPassword, invited, type Page, readable } from "../person.ts";

const mirrors = mkdtempSync(join(tmpdir(), "roster-sources-"));
inventRepository(join(mirrors, "app.git"), [{ author: "Vera Holm <vera@example.org>" }]);
const right = "right-token-4711";
const wrong = "wrong-token-0815";
const forge = inventForge();
forge.accounts.set(1, { login: "ada", name: "Ada Forge", location: "Berlin" });
forge.accounts.set(2, { login: "ben", name: "Ben Forge" });
forge.before = (path) => {
  if (path === "settings/api") return Response.json({ max_response_items: 50 });
  if (path === "version") return Response.json({ version: "1.27.1" });
  const given = forge.asked.at(-1)?.headers.get("authorization") ?? "";
  if (!given.endsWith(right)) return Response.json({ message: "no such token" }, { status: 401 });
  return path === "user" ? Response.json({ id: 1, login: "ada" }) : undefined;
};
const folder = mkdtempSync(join(tmpdir(), "roster-test-"));
// The server's children read the setting from here.
writeFileSync(join(folder, "roster.toml"), `[ingest]\nroots = [${JSON.stringify(mirrors)}]\n`);
const roster = await openTestAppliance({
  ...{ folder, self: program, people: [], now: new Date().toISOString() },
  config: { ingest: { timeoutMs: 3_600_000, gitMemoryMiB: 2048, roots: [mirrors] } },
});
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(async () => {
  await roster.close();
  for (const one of [folder, mirrors]) rmSync(one, { recursive: true });
});

const path = "/admin/sources";

/** Everything that a browser or a log got. */
const seen: string[] = [];
const send = async (at: string, act: string, fields: Record<string, string> = {}) => {
  const page = await boss.send(at, act, fields);
  seen.push(page.at, page.text);
  return page;
};

async function until(at: string, words: string): Promise<Page> {
  for (let tries = 1; ; tries++) {
    const page = await boss.open(at);
    if (readable(page.text).includes(words)) return page;
    if (tries === 400) expect(readable(page.text)).toContain(words);
    await Bun.sleep(50);
  }
}

const listIds = async () => {
  const { text } = await boss.open(path);
  return [...text.matchAll(/id="source-([^"]+)"/g)].map(([, id = ""]) => id);
};

describe("a check", () => {
  test.each([
    ["nonsense", "nonsense"],
    ["ftp://git.example.com/x", "https"],
    ["/etc", mirrors],
    [join(mirrors, "none"), "There is no such folder"],
  ])("of %s is refused beside the field, and keeps what was typed", async (address, said) => {
    const page = await send(path, "check", { address });
    expectAnswer(page, 400, "That did not work");
    expect(page.text).toContain('href="#check-address"');
    expect(page.text).toContain(`value="${address}"`);
    expect(readable(page.text)).toContain(said);
    expect(await listIds()).toEqual([]);
  });

  test.each(["https://ada:hidden-word@git.example.com", "hidden-word@evil.example:x@y:z"])(
    "of %s does not show its password again",
    async (address) => {
      const page = await send(path, "check", { address });
      expect(page.status).toBe(400);
      expect(page.text).not.toContain("hidden-word");
    },
  );

  test("of a wrong token is refused beside its field, and nothing is kept", async () => {
    const page = await send(path, "check", { address: forge.url, secret: wrong });
    expect([page.status, page.at]).toEqual([400, path]);
    expect(page.text).toContain('href="#check-secret"');
    expect(await listIds()).toEqual([]);
  });

  test("is for the account that asked, and for ten minutes", async () => {
    const { at } = await send(path, "check", { address: mirrors });
    expect(at).toMatch(/^\/admin\/sources\/add\/[0-9a-f-]{36}$/);
    const other = await invited(roster, "other@corp.example", { administrator: true });
    expectAnswer(await other.open(at), 404, "Check the address again.");
    expect((await boss.open(at)).status).toBe(200);
    roster.clock.advance(601);
    expectAnswer(await boss.open(at), 404, "Check the address again.");
    expect(await listIds()).toEqual([]);
  });
});

test("a folder is checked, read, hooked and removed with its people", async () => {
  const found = await send(path, "check", { address: mirrors });
  for (const said of ["Check passed", `1 repository at ${mirrors}`, "app.git"]) {
    expect(readable(found.text)).toContain(said);
  }
  expect(readable(found.text)).not.toContain("Which people");
  roster.clock.advance(601);
  const { at } = await send(path, "check", { address: mirrors });
  // The sign-in is not recent any more.
  expectAnswer(await send(at, "save", { hours: "24" }), 400, "Password is missing.");
  expectAnswer(
    await send(at, "save", { hours: "0", password: goodPassword }),
    400,
    "must be a whole number from 1 to 8760",
  );
  const saved = await send(at, "save", { hours: "6" });
  expect([saved.at, readable(saved.text)]).toEqual([path, expect.stringContaining("Roster reads")]);
  const [id = ""] = await listIds();
  expectAnswer(await boss.open(at), 404, "Check the address again.");
  const list = await until(path, "1 repository · read");
  expect(list.text).toContain(`href="${path}/${id}"`);
  expect(await roster.modules.pool.logins()).toHaveLength(1);

  const own = `${path}/${id}`;
  const page = readable((await until(own, "next in")).text);
  for (const said of [mirrors, "Turn on", "Remove this source"]) {
    expect(page).toContain(said);
  }
  const on = await send(own, "hook", { turn: "on" });
  const [, secret = ""] = /<pre id="secret"><code>([^<]+)</.exec(on.text) ?? [];
  expect(secret.length).toBeGreaterThan(30);
  const later = await boss.open(own);
  expect(later.text).not.toContain(secret);
  expect(readable(later.text)).toContain(`/hooks/${id}`);
  expect(readable(later.text)).toContain('--data-urlencode "repository=$PWD"');
  expect(readable((await send(own, "hook", { turn: "off" })).text)).toContain(
    "Push hook turned off.",
  );

  const changed = await send(own, "check");
  expect(readable(changed.text)).toContain(`Change ${id}`);
  expect(changed.text).toContain('name="hours" type="number" value="6"');
  expect((await send(changed.at, "save", { hours: "168" })).at).toBe(path);

  expect((await send(own, "remove-source", { data: "yes" })).at).toBe(path);
  while ((await roster.modules.pool.logins()).length > 0) await Bun.sleep(50);
  while ((await listIds()).length > 0) await Bun.sleep(50);
  expect((await boss.open(own)).status).toBe(404);
  const audit = readable((await boss.open("/admin/audit")).text);
  for (const deed of ["added the", "changed the", "started to forget the"]) {
    expect(audit).toContain(`${deed} source ${id}`);
  }
}, 120_000);

test("of a forge, the people are chosen before they are read, and its token is nowhere", async () => {
  const page = await send(path, "check", { address: forge.url, secret: right });
  const words = readable(page.text);
  for (const said of ["Gitea 1.27.1", "Works, as ada.", "Which people", "2 people"]) {
    expect(words).toContain(said);
  }
  expect(page.text).toMatch(/<input type="radio" name="people" value="[^"]+" checked/);
  const refused = await send(page.at, "save", { hours: "24", people: "other", others: "acme" });
  expectAnswer(refused, 400, "That did not work");
  expect(refused.text).toContain('href="#save-others"');
  expect(refused.text).toContain('value="acme"');
  await send(page.at, "save", { hours: "24", people: "all" });
  const [id = ""] = await listIds();
  const own = await until(`${path}/${id}`, "2 people, 0 repositories");
  expect(readable(own.text)).toContain(`${forge.url} · all`);
  seen.push(
    own.text,
    (await boss.open("/admin/audit")).text,
    (await boss.open("/admin/runs")).text,
  );
  for (const text of [...seen, roster.log()]) {
    expect(text).not.toContain(right);
    expect(text).not.toContain(wrong);
  }
  // A reading that is asked for while one runs would be that one.
  await until(own.at, "next in");
  forge.before = () => new Response("", { status: 401 });
  await send(path, "refresh", { source: id });
  for (const at of [path, `${path}/${id}`]) {
    const faulty = readable((await until(at, "failed")).text);
    expect(faulty).toContain(`The token of source ${id} was refused (401).`);
    expect(faulty).toContain("Enter a new token.");
  }
  await forge[Symbol.asyncDispose]();
}, 120_000);

test("nothing can be added where the data is in memory", async () => {
  const memory = await openTestAppliance({ people: [] });
  const admin = await invited(memory, "boss@corp.example", { administrator: true });
  const { text } = await admin.open(path);
  expect(readable(text)).toContain("its data is in memory or read-only");
  expect(text).not.toContain("check-address");
  await memory.close();
});

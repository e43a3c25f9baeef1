/** Nobody begins anew after a move: who was signed in, what they kept, their assistants and keys, and who was forgotten. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { copyStores, type MoveRequest } from "../../src/move/move.ts";
import { connected, refresh, resource, type Tokens } from "../accounts/oauth/assistant.ts";
import { openBrowser } from "../accounts/sign-in/browser.ts";
import { openTestAppliance, type TestAppliance, type TestOptions } from "../appliance.ts";
import { goodPassword, invited, openPerson, readable } from "../interfaces/web/person.ts";
import { hasPostgres, newDatabase } from "../postgres/database.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const email = "ada.keeps@example.com";
const publicUrl = "http://127.0.0.1:7171";
// The database has a clock of its own.
const now = new Date().toISOString();

const open = (options: TestOptions) =>
  openTestAppliance({ now, people: [], ...options, config: { publicUrl, ...options.config } });

/** @returns the status, and how many calls were used with it. */
async function call(roster: TestAppliance, key: string, login: string) {
  const headers = { "x-api-key": key };
  const answer = await roster.handle(new Request(`${publicUrl}/v1/users/${login}`, { headers }));
  const { meta } = (await answer.json()) as { meta?: { quota: { used: number } } };
  return [answer.status, meta?.quota.used];
}

/** Somebody who keeps things and connects an assistant, before any move. */
async function begin(roster: TestAppliance) {
  const person = await invited(roster, email);
  await person.send("/saved", "save-search", { name: "Go in Berlin", query: "location=Berlin" });
  const ben = { login: "ben-sample", name: "Backend", note: "met in May" };
  const { at } = await person.send("/saved/add", "add", ben);
  await person.send(at, "add", { login: "ada-example" });
  const browser = openBrowser(roster);
  for (const [name, value] of person.jar) browser.jar.set(name, value);
  const { clientId, tokens } = await connected(roster, browser);
  const key = await roster.modules.accounts.regenerateKey(email);
  expect((await call(roster, key, "ada-example"))[0]).toBe(200);
  const { erasing } = roster.modules.pool;
  await erasing.hide("ada-example", { reason: "asked" });
  await erasing.clean();
  for (const { id } of await erasing.unfinished()) await erasing.finish(id);
  return { jar: person.jar, list: at, clientId, tokens, key };
}

async function countCalls({ modules }: TestAppliance): Promise<number> {
  const account = await modules.accounts.find(email);
  return (await modules.quota.usage({ accountId: account?.id ?? "" })).month.used;
}

/** All of it again at another place, after so many calls. @returns what the assistant has next. */
async function goOn(
  roster: TestAppliance,
  { jar, list, clientId, tokens, key }: Awaited<ReturnType<typeof begin>>,
  used: number,
): Promise<Tokens> {
  expect(await call(roster, key, "ben-sample")).toEqual([200, used + 1]);
  expect(await call(roster, key, "ada-example")).toEqual([404, used + 2]);
  const person = openPerson(roster);
  for (const [name, value] of jar) person.jar.set(name, value);
  expect((await person.open("/account")).at).toBe("/account");
  const saved = readable((await person.open("/saved")).text);
  expect(saved).toContain("Go in Berlin");
  const kept = readable((await person.open(list)).text).toLowerCase();
  expect(kept).toContain("met in may");
  expect(kept).not.toContain("ada-example");
  await person.send("/saved", "add-list", { name: `Made after ${used}` });

  const stranger = openPerson(roster);
  await stranger.send("/sign-in", "sign-in", { email, password: goodPassword });
  expect((await stranger.open("/account")).at).toBe("/account");

  const answer = await refresh(roster, clientId, tokens.refresh_token);
  const next = (await answer.json()) as Tokens;
  expect([answer.status, next]).toMatchObject([200, { token_type: "Bearer" }]);
  const at = resource(roster);
  expect(await roster.signIn.authenticateToken(next.access_token, at)).toBeDefined();
  expect(await roster.signIn.authenticateToken(tokens.access_token, at)).toBeDefined();
  return next;
}

test.skipIf(!hasPostgres)(
  "sessions, passwords, lists, assistants, keys and counts go on in the database, and back in a folder",
  async () => {
    const folder = newFolder();
    const before = await openTestAppliance({ now, folder, config: { publicUrl } });
    const mine = await begin(before);
    const counted = [await countCalls(before)];
    await before.close();

    const url = await newDatabase();
    const back = join(newFolder(), "back");
    const moves: readonly [MoveRequest, TestOptions][] = [
      [
        { folder, url, direction: "to database" },
        { folder: true, config: { database: { url, connections: 4 } } },
      ],
      [{ folder: back, url, direction: "to folder" }, { folder: back }],
    ];
    for (const [request, options] of moves) {
      await copyStores(request);
      const roster = await open(options);
      mine.tokens = await goOn(roster, mine, counted.at(-1) as number);
      counted.push(await countCalls(roster));
      await roster.close();
    }
    const returned = await open({ folder: back });
    const person = openPerson(returned);
    for (const [name, value] of mine.jar) person.jar.set(name, value);
    const saved = readable((await person.open("/saved")).text);
    for (const used of counted.slice(0, 2)) expect(saved).toContain(`Made after ${used}`);
    await returned.close();
  },
  300_000,
);

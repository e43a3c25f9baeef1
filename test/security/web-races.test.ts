/** Forms that many send in the same instant, to the real program: what is made once is made once. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Office, openOffice } from "../faults/office.ts";
import {
  endServersAfterEach,
  freePort,
  type ServerProcess,
  startServer,
} from "../faults/server-process.ts";
import { form, goodPassword, openPersonAt, type Person } from "../interfaces/web/person.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
/** One network has ten sign-ups an hour. */
const many = isLong ? 10 : 5;

interface Running extends ServerProcess {
  readonly folder: string;
  readonly office: Office;
  newPerson(): Person;
}

async function start(flags: readonly string[] = []): Promise<Running> {
  const folder = join(newFolder(), "data");
  const server = await startServer(folder, await freePort(), [], flags);
  const newPerson = () => openPersonAt(server.address);
  return { ...server, folder, office: await openOffice(folder), newPerson };
}

async function together(
  people: readonly Person[],
  path: string,
  fields: Record<string, string>,
): Promise<{ readonly person: Person; readonly at: string | undefined; readonly text: string }[]> {
  const forms = await Promise.all(
    people.map(async (person) => ({ person, token: await person.tokenOn(path) })),
  );
  return Promise.all(
    forms.map(async ({ person, token }) => {
      const page = await person.ask(path, form({ token, ...fields }));
      const at = page.headers.get("location") ?? undefined;
      return { person, at, text: at === undefined ? page.text : (await person.ask(at)).text };
    }),
  );
}

const crowd = ({ newPerson }: Running) => Array.from({ length: many }, newPerson);
const isIn = async (person: Person) => (await person.ask("/account")).status === 200;

async function invited(server: Running, email: string, administrator = false): Promise<Person> {
  const { accounts } = server.office;
  await accounts.createWithoutKey({ email, plan: "pro", administrator });
  const { token } = await accounts.makeLink(email, "invitation");
  const person = server.newPerson();
  const page = `/invitation?token=${token}`;
  await person.send(page, "redeem", { password: goodPassword });
  expect(await isIn(person)).toBe(true);
  return person;
}

test("sign-up of one e-mail by many at once makes one account and lets one person in", async () => {
  const server = await start(["--sign-up", "open"]);
  const email = "ada@example.com";
  const spelt = [email, "ADA@example.com"];
  const forms = await Promise.all(
    crowd(server).map(async (person) => ({ person, token: await person.tokenOn("/sign-up") })),
  );
  const ends = await Promise.all(
    forms.map(({ person, token }, index) => {
      const fields = { act: "sign-up", email: spelt[index % 2] as string, password: goodPassword };
      return person.ask("/sign-up", form({ token, ...fields }));
    }),
  );
  expect(ends.map(({ status }) => status).sort()).toEqual([303, ...Array(many - 1).fill(400)]);
  const { accounts } = server.office;
  expect((await accounts.list()).filter((one) => one.email.toLowerCase() === email).length).toBe(1);
  const inside = await Promise.all(forms.map(({ person }) => isIn(person)));
  expect(inside.filter(Boolean).length).toBe(1);
  server.office.close();
}, 300_000);

for (const purpose of ["set-up", "invitation", "reset"] as const) {
  test(`a one-time link (${purpose}) opened by many at once lets one of them in`, async () => {
    const server = await start();
    const { accounts } = server.office;
    const email = purpose === "set-up" ? "admin@localhost" : "ada@example.com";
    if (purpose !== "set-up") await accounts.createWithoutKey({ email, plan: "pro" });
    const { token } = await accounts.makeLink(email, purpose);
    const path = `${{ "set-up": "/set-up", invitation: "/invitation", reset: "/reset-password" }[purpose]}?token=${token}`;
    const own = purpose === "set-up" ? { email: "boss@example.com" } : {};
    const ends = await together(crowd(server), path, {
      ...{ act: "redeem", password: goodPassword },
      ...own,
    });
    const inside = await Promise.all(ends.map(({ person }) => isIn(person)));
    expect(inside.filter(Boolean).length).toBe(1);
    expect(ends.filter(({ at }) => at === "/").length).toBe(1);
    expect((await server.newPerson().ask(path)).status).not.toBe(200);
    server.office.close();
  }, 300_000);
}

test("a new key asked for by many forms of one browser at once: no key lives that was not shown", async () => {
  const server = await start();
  const email = "ada@example.com";
  const person = await invited(server, email);
  const token = await person.tokenOn("/account/api");
  const fields = { token, act: "regenerate", password: goodPassword };
  const sent = await Promise.all(
    Array.from({ length: many }, () => person.ask("/account/api", form(fields))),
  );
  expect(sent.filter(({ status }) => status >= 500)).toEqual([]);
  const { text } = await person.ask("/account/api");
  const keys = [...text.matchAll(/rst_[0-9A-Za-z]{49}/g)].map(([key]) => key);
  expect(await living(server, keys)).toEqual([await keyInForce(server, email, keys)]);
  server.office.close();
}, 300_000);

/** @returns the keys that work. */
async function living(server: Running, keys: readonly string[]): Promise<string[]> {
  const statuses = await Promise.all(
    keys.map(async (key) => {
      const headers = { "x-api-key": key };
      return (await fetch(`${server.address}/v1/users/nobody`, { headers })).status;
    }),
  );
  for (const status of statuses) expect([401, 404]).toContain(status);
  return keys.filter((_, index) => statuses[index] === 404);
}

/** @returns the key whose hint the account shows. */
async function keyInForce(
  { office }: Running,
  email: string,
  keys: readonly string[],
): Promise<string> {
  const [start = "", end = ""] = (await office.accounts.find(email))?.keyHint?.split(/\W+/) ?? [];
  return keys.find((key) => key.startsWith(start) && key.endsWith(end)) as string;
}

test("two administrators who disable each other in the same instant leave one", async () => {
  const server = await start();
  const { accounts } = server.office;
  for (let round = 0; round < (isLong ? 5 : 2); round += 1) {
    const emails = [`a${round}@example.com`, `b${round}@example.com`];
    const [a, b] = await Promise.all(emails.map((email) => invited(server, email, true)));
    for (const { email, administrator } of await accounts.list()) {
      if (administrator && !emails.includes(email)) await accounts.setDisabled(email, true);
    }
    const pathOf = async (email?: string) =>
      `/admin/accounts/${(await accounts.find(email as string))?.id}`;
    const [toB, toA] = [await pathOf(emails[1]), await pathOf(emails[0])];
    const [tokenA = "", tokenB = ""] = await Promise.all([a?.tokenOn(toB), b?.tokenOn(toA)]);
    await Promise.all([
      a?.ask(toB, form({ token: tokenA, act: "disable" })),
      b?.ask(toA, form({ token: tokenB, act: "disable" })),
    ]);
    expect((await accounts.list()).filter((one) => one.administrator && !one.disabled).length).toBe(
      1,
    );
  }
  expect(readFileSync(`${server.folder}.log`, "utf8")).not.toContain('"level":"error"');
  server.office.close();
}, 300_000);

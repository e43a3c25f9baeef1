/** Forgetting and exporting from a page: for administrators only, and with the server answering meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openTestAppliance, type TestAppliance } from "../../../appliance.ts";
import { goodPassword, invited, type Person, readable } from "../person.ts";

const root = join(import.meta.dir, "../../../..");
const self = ["bun", `--tsconfig-override=${root}/tsconfig.json`, `${root}/src/main.ts`];

let roster: TestAppliance;
let boss: Person;
let user: Person;
let login: string;

beforeAll(async () => {
  // A child of the same program opens the folder, so it has to be one.
  roster = await openTestAppliance({ folder: true, self });
  boss = await invited(roster, "boss@corp.example", { administrator: true });
  user = await invited(roster, "user@corp.example");
  login = (await roster.modules.pool.logins())[0] ?? "";
});
afterAll(() => roster.close());

const ofPerson = (page: string) => `/developers/${login}/${page}`;

describe("what administrators may do with a person", () => {
  test("is refused to everybody else, and not offered", async () => {
    for (const page of ["identity", "everything.json", "forget"])
      expect([page, (await user.open(ofPerson(page))).status]).toEqual([page, 403]);
    expect((await user.open(`/developers/${login}`)).text).not.toContain(ofPerson("forget"));
    expect((await boss.open(`/developers/${login}`)).text).toContain(ofPerson("forget"));
  });

  test("everything held is what the command line exports", async () => {
    const copy = JSON.parse((await boss.open(ofPerson("everything.json"))).text);
    expect([copy.form, copy.login, copy.facts.login]).toEqual([
      "urn:roster:person:1",
      login,
      login,
    ]);
  });

  test("forgetting asks for the password when the sign-in is old", async () => {
    roster.clock.advance(11 * 60);
    const page = await boss.send(ofPerson("forget"), "forget", { reason: "ticket 17" });
    expect([page.status, readable(page.text)]).toEqual([
      400,
      expect.stringContaining("Password is missing"),
    ]);
    expect((await roster.modules.pool.findCards([login]))[0]?.login).toBe(login);
  });

  test("it is done in a child, and who ordered it is in the audit log, which names nobody", async () => {
    const given = { reason: "ticket 17", password: goodPassword };
    const sent = boss.send(ofPerson("forget"), "forget", given);
    expect((await user.open("/account")).status).toBe(200);
    const page = await sent;
    expect([page.at, readable(page.text)]).toEqual([
      "/",
      expect.stringContaining("The person is forgotten. Receipt:"),
    ]);
    expect(await roster.modules.pool.findCards([login])).toEqual([undefined]);
    expect((await boss.open(`/developers/${login}`)).status).toBe(404);
    const log = (await boss.open("/admin/audit")).text;
    expect(log).toContain("person.forget_ordered");
    expect(log).not.toContain(login);
  }, 60_000);
});

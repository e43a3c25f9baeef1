/** POST /v1/people/find: who is found by what, best first; never by an address that is not published. */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Facts } from "../../src/contract/people/facts.ts";
import type { FoundPerson } from "../../src/contract/people/found-person.ts";
import { openTestAppliance } from "../appliance.ts";
import { openRpc } from "../interfaces/mcp/rpc.ts";
import { inventedPeople } from "../invented-people.ts";
import { rounds } from "../long.ts";

const unpublished = (address: string) => ({ address, sources: ["commits"], published: false });
const secret = "hidden.address@example.org";
const invent = (login: string, name: string | undefined, more: Partial<Facts> = {}): Facts => ({
  ...{ login, source: "git", repositories: [], evidence: [], emails: [] },
  ...{ profile: name === undefined ? {} : { name }, ...more },
});

const people: readonly Facts[] = [
  ...inventedPeople,
  invent("jorg-b5fc85", "Jörg Łukasz O'Straße", {
    formerLogins: ["Joerg.Old-aa11bb"],
    otherNames: ["Giorgio Quellname", "jluk"],
    emails: [unpublished(secret), unpublished("12+jorgl@users.noreply.github.com")],
  }),
  invent("lukasz-x", "Lukasz Person"),
  invent("luk", "Lukasz", { class: "bot", classReason: "a test" }),
  invent("taro-x", "田中太郎", { otherNames: ["たなかたろう"] }),
  invent("spaced-x", "山本 花子", { otherNames: ["ヤマモト・ハナコ"] }),
  invent("kim-x", "김철수", { otherNames: ["Anna-Zoe Dupré"] }),
  invent("shared-1", "王小明", { formerLogins: ["both"] }),
  invent("shared-2", "A A Milestone", { formerLogins: ["both"] }),
];

const appliance = await openTestAppliance({ people });
const key = (await appliance.newAccount("pro")).key;
const { accounts } = appliance.modules;
const made = { email: "boss@example.com", plan: "enterprise", administrator: true } as const;
const administratorKey = (await accounts.create(made)).key;
afterAll(() => appliance.close());

const ask = (body: unknown, own = key) =>
  appliance.client.ask({ path: "/v1/people/find", key: own, body });
const find = async (text: string, own = key): Promise<FoundPerson[]> => {
  const { status, body } = await ask({ text, limit: 50 }, own);
  expect([text, status]).toEqual([text, 200]);
  expect(body.data.total).toBe(body.data.results.length);
  return body.data.results;
};
const logins = async (text: string, own = key) => (await find(text, own)).map(({ login }) => login);

describe("Who is found", () => {
  test("by every other name, alone or with words of the first, and it stands beside that", async () => {
    for (const text of ["Giorgio Quellname", "quell", "jluk", "Giorgio Łukasz"]) {
      const [first] = await find(text);
      expect([text, first?.login]).toEqual([text, "jorg-b5fc85"]);
      expect(first?.otherNames).toEqual(["Giorgio Quellname", "jluk"]);
    }
  });

  test("with a slip in one word or the login, after those without, and that is said", async () => {
    for (const text of ["Jorg Lukasz Ostrase", "giorigo quell", "Quellnam", "jrg-b5fc85"]) {
      expect([text, await logins(text)]).toEqual([text, ["jorg-b5fc85"]]);
      expect((await find(text))[0]?.matched).toBe(text === "Quellnam" ? "name" : "near");
    }
    // Words written together are a login.
    expect(await logins("Taro X")).toEqual(["taro-x"]);
    // Two slips, and a slip in what must be exact, find nobody.
    for (const text of ["girogio quelname", "github.com/lukasz-x1", "hiden.address@example.org"]) {
      expect([text, await logins(text)]).toEqual([text, []]);
    }
    const found = await find("lukasz");
    expect(found.map(({ matched }) => matched).indexOf("near")).toBe(-1);
  });

  test("by name, without accents, case and order, by the beginnings of its words", async () => {
    const spelled = ["Jörg Łukasz O'Straße", "jorg lukasz ostrasse", "OSTRASSE, jorg"];
    for (const text of [...spelled, "luk jo", "ostra"]) {
      expect([text, (await logins(text))[0]]).toEqual([text, "jorg-b5fc85"]);
    }
    expect(await logins("王小")).toEqual(["shared-1"]);
    expect(await logins("rg lukasz")).toEqual([]);
    // Each word of the text needs a word of its own.
    expect(await logins("a a mile")).toEqual(["shared-2"]);
    expect(await logins("a a a mile")).toEqual([]);
  });

  test("by a part of a name that has no spaces, and by words together that have one or a hyphen", async () => {
    for (const [login, ...texts] of [
      ["taro-x", "太郎", "田中太郎", "太郎 田中", "たろう"],
      ["spaced-x", "花子", "山本花子", "ハナコ"],
      ["kim-x", "철수", "김", "annazoe", "AnnaZoe dup"],
      ["shared-1", "小明"],
    ] as const) {
      for (const text of texts) expect([text, await logins(text)]).toEqual([text, [login]]);
    }
    for (const text of ["oe dupre", "zoeanna", "anna zo x"]) {
      expect([text, await logins(text)]).not.toContain("kim-x");
    }
  });

  test("by login, former login, account and URL, and what matched is said", async () => {
    const matched = async (text: string) =>
      (await find(text)).map((each) => [each.login, each.matched])[0];
    expect(await matched("JORG-b5fc85")).toEqual(["jorg-b5fc85", "login"]);
    expect(await matched("@jorg-b5fc85")).toEqual(["jorg-b5fc85", "login"]);
    expect(await matched("jorg-b")).toEqual(["jorg-b5fc85", "login"]);
    expect(await matched("joerg.old-aa11bb")).toEqual(["jorg-b5fc85", "former login"]);
    for (const text of ["github.com/JorgL", "https://github.com/jorgl/"]) {
      expect(await matched(text)).toEqual(["jorg-b5fc85", "account"]);
    }
    expect(await matched("forge.example/farid_demo")).toEqual(["farid_demo", "account"]);
    expect(await matched("Ada-Example@example.com")).toEqual(["ada-example", "e-mail"]);
    expect(await matched("<ada-example@example.com>")).toEqual(["ada-example", "e-mail"]);
    expect((await logins("both")).sort()).toEqual(["shared-1", "shared-2"]);
  });

  test("best first: an exact login, a whole name, its words, beginnings; bots last, by login only", async () => {
    expect(await logins("luk")).toEqual(["jorg-b5fc85", "lukasz-x", "luk"]);
    expect(await logins("lukasz person")).toEqual(["lukasz-x"]);
    expect(await logins("lukas")).not.toContain("luk");
    expect(await logins("Renovator-Bot")).toEqual(["renovator-bot"]);
    expect(await logins("renovator")).toEqual([]);
  });

  test("with name, place and best role as the profile has them", async () => {
    const [found] = await find("Ada Example");
    const { body } = await appliance.client.analyze("ada-example");
    const role = body.data.scores.role;
    expect(found).toEqual({
      ...{ login: "ada-example", matched: "name", name: "Ada Example" },
      ...{ location: "Berlin, Germany", role },
    });
    const [bare] = await find("kira-bare");
    expect(bare).toEqual({ login: "kira-bare", matched: "login", location: "Lisbon, Portugal" });
  });

  test("everybody, by login and by name, and nobody by what is no key of theirs", async () => {
    const text = fc.oneof(
      fc.constantFrom(...people.flatMap(({ login, profile }) => [login, profile.name ?? login])),
      fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (text, turned) => {
        const asked = turned ? text.split(" ").reverse().join(" ").toUpperCase() : text;
        const { search } = appliance.modules;
        const page = { canSeeUnpublished: false, limit: 50, offset: 0 };
        const { total, hits } = await search.findPeople({ text: asked, ...page });
        expect(hits.length).toBe(Math.min(total, 50));
        const cards = await appliance.modules.pool.cards(hits.map(({ rowId }) => rowId));
        const found = hits.map(({ rowId }) => cards.get(rowId)?.login);
        const meant = people.filter(
          ({ login, profile, class: kind = "human" }) =>
            login === text || (profile.name === text && kind === "human"),
        );
        for (const { login } of meant)
          expect([asked, found]).toEqual([asked, expect.arrayContaining([login])]);
      }),
      { numRuns: rounds(500) },
    );
  });

  test("page by page as in one", async () => {
    const whole = await logins("a");
    expect(whole.length).toBeGreaterThan(1);
    const pages: string[] = [];
    for (let offset = 0; offset < whole.length; offset += 1) {
      const { body } = await ask({ text: "a", limit: 1, offset });
      expect(body.data.total).toBe(whole.length);
      pages.push(...body.data.results.map(({ login }: FoundPerson) => login));
    }
    expect(pages).toEqual(whole);
    expect((await ask({ text: "a", offset: 200 })).body.data.results).toEqual([]);
  });
});

describe("An address that is not published", () => {
  test("finds nobody but for an administrator's key, and stands in no answer", async () => {
    for (const text of [secret, `Jörg <${secret}>`, secret.toUpperCase()]) {
      expect(await find(text)).toEqual([]);
      const { body } = await ask({ text }, administratorKey);
      expect(body.data.results).toMatchObject([{ login: "jorg-b5fc85", matched: "e-mail" }]);
      expect(JSON.stringify(body)).not.toMatch(/@/);
    }
    for (const own of [key, administratorKey]) {
      const parts = ["hidden.address", "example.org", "12+jorgl"];
      for (const text of ["a", "jorg", "github.com/jorgl", ...parts]) {
        expect(JSON.stringify(await find(text, own))).not.toContain("@");
      }
    }
    expect(await logins("hidden.address")).toEqual([]);
    expect(await logins("@example.org")).toEqual([]);
  });

  test("finds nobody for an administrator's assistant, and somebody for one who is signed in", async () => {
    const { accounts } = appliance.modules;
    const identity = await accounts.authenticate(administratorKey);
    if (!identity) throw new Error("no such key");
    expect(await accounts.canSeeUnpublished(identity)).toBe(true);
    const grant = { ...identity, credential: { kind: "grant", id: "grant_1" } } as const;
    expect(await accounts.canSeeUnpublished(grant)).toBe(false);
    const session = { ...identity, credential: { kind: "session", id: "session_1" } } as const;
    expect(await accounts.canSeeUnpublished(session)).toBe(true);
  });

  test("is not logged, nor is any other text", async () => {
    await ask({ text: secret }, administratorKey);
    await ask({ text: "zzyzx quux" });
    expect(appliance.log()).toContain("find_people");
    expect(appliance.log()).not.toMatch(/hidden\.address|zzyzx/);
  });
});

describe("What it costs and refuses", () => {
  test("one call, found or not; nothing when malformed", async () => {
    const { key: own } = await appliance.newAccount("pro");
    const used = async (body: unknown) => (await ask(body, own)).body.meta.quota.used;
    expect(await used({ text: "ada" })).toBe(1);
    expect(await used({ text: "zzyzx" })).toBe(2);
    expect(await used({})).toBe(2);
    const { key: limited } = await appliance.newAccount("pro", { callsPerMonth: 1 });
    expect((await ask({ text: "ada" }, limited)).status).toBe(200);
    expect((await ask({ text: "ada" }, limited)).body.error.code).toBe("quota_exceeded");
  });

  test("400 with the field", async () => {
    const message = async (body: unknown) => {
      const { status, body: answer } = await ask(body);
      expect(status).toBe(400);
      return answer.error.message;
    };
    expect(await message({})).toBe("text is required");
    expect(await message({ text: " " })).toContain("text must be a text of 1 to 200 characters");
    expect(await message({ text: "a", limit: 51 })).toContain(
      "limit must be a whole number from 1 to 50",
    );
    expect(await message({ text: "a", name: "b" })).toContain('unknown field "name"');
  });

  test("the tool says the same, with the next page and a way on", async () => {
    const { call } = openRpc(appliance.handle, key);
    const { result } = await call("find_people", { text: "a", limit: 1 });
    expect(result.structuredContent.meta.nextOffset).toBe(1);
    expect(result.content[0].text).toContain("1 of them here");
    const none = (await call("find_people", { text: "zzyzx" })).result;
    expect(none.structuredContent.meta.hints[0]).toContain("fewer words");
    expect(none.content[0].text).toStartWith("Nobody has this name.");
  });
});

test("who is forgotten is found no more, at once, and who comes is", async () => {
  const own = await openTestAppliance({ people });
  const { pool } = own.modules;
  const { key } = await own.newAccount("pro");
  const asked = async (text: string) =>
    (await own.client.ask({ path: "/v1/people/find", key, body: { text } })).body.data;
  expect(await asked("joerg.old-aa11bb")).toMatchObject({ total: 1 });
  await pool.erasing.hide("Joerg.Old-aa11bb");
  for (const text of ["jorg", "joerg.old-aa11bb", "github.com/jorgl", "lukasz ostrasse"]) {
    expect([text, await asked(text)]).toEqual([text, { total: 0, results: [] }]);
  }
  const load = await pool.beginImport("test");
  await load.put([own.judge("2026-11-21")(invent("newcomer", undefined))]);
  await load.commit();
  expect(await asked("newco")).toMatchObject({ total: 1, results: [{ matched: "login" }] });
  await own.close();
});

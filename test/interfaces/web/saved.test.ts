/** Lists and saved searches as somebody uses them, and that they are nobody else's. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { savedLimits } from "../../../src/control/saved-records.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { hasBrowser, launch, openTab } from "../../browser.ts";
import { freePort } from "../../faults/server-process.ts";
import { acceptInvitation, looked } from "./looks.ts";
import { form, invited, type Person, readable } from "./person.ts";

const email = "ada.keeps@example.com";

async function openRoster(): Promise<TestAppliance & AsyncDisposable> {
  const config = { publicUrl: "http://127.0.0.1:7171" };
  const roster = await openTestAppliance({ now: new Date().toISOString(), config });
  return { ...roster, [Symbol.asyncDispose]: () => roster.close() };
}

async function countCalls({ modules }: TestAppliance): Promise<number> {
  const account = await modules.accounts.find(email);
  return (await modules.quota.usage({ accountId: account?.id ?? "" })).month.used;
}

const saveBerlin = (person: Person) =>
  person.send("/saved", "save-search", { name: "Go in Berlin", query: "location=Berlin" });

test("the page of results and the page of a person have the forms that keep them", async () => {
  await using roster = await openRoster();
  const ada = await invited(roster, email);
  const results = await ada.open("/?location=Berlin&skills=Go");
  const query =
    /name="query" value="([^"]+)"/.exec(results.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(query).toBe("location=Berlin&skills=Go");
  const name =
    /id="save-search-name" name="name" type="text" value="([^"]+)"/.exec(results.text)?.[1] ?? "";
  const token = /name="token" value="([0-9a-f]+)"/.exec(results.text)?.[1] ?? "";
  const sent = await ada.ask("/saved", form({ token, act: "save-search", name, query }));
  expect(sent.headers.get("location")).toStartWith("/saved/searches/sea_");
  const person = await ada.open("/developers/ada-example");
  expect(person.text).toContain('<input type="hidden" name="login" value="ada-example"');
  const added = await ada.ask(
    "/saved",
    form({ token, act: "add", login: "ada-example", list: "new", name: "Mine", note: "" }),
  );
  expect(added.headers.get("location")).toStartWith("/saved/lists/lst_");
});

describe("a list", () => {
  test("takes people of the pool with a note, and gives them out as a table without formulas", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const made = await ada.send("/saved", "add", {
      ...{ login: "ben-sample", list: "new", name: "Backend", note: '=HYPERLINK("x")' },
    });
    expect(made.at).toMatch(/^\/saved\/lists\/lst_/);
    expect(readable(made.text)).toContain("Ben-Sample is on the list.");
    await ada.send(made.at, "add", { login: "ada-example", note: "met in May, writes, and tests" });
    const csv = await ada.open(`${made.at}?format=csv`);
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="Backend.csv"');
    expect(csv.text.split("\r\n").map((line) => line.replace(/,2\d{3}-.*/, ""))).toEqual([
      "login,note,added_at",
      'ada-example,"met in May, writes, and tests"',
      `Ben-Sample,"'=HYPERLINK(""x"")"`,
      "",
    ]);
    // Whether a login exists is an answer: it counts, once for all who ask, and not for whoever is listed.
    expect(await countCalls(roster)).toBe(2);
    await ada.send(made.at, "add", { login: "Ada-Example", note: "met in May, writes, and tests" });
    roster.clock.advance(61);
    await ada.send(made.at, "add", { login: "Ada-Example", note: "met in May, writes, and tests" });
    expect(await countCalls(roster)).toBe(2);
    const nobody = await ada.send(made.at, "add", { login: "nobody-at-all" });
    expect(await countCalls(roster)).toBe(3);
    expect([nobody.status, readable(nobody.text)]).toEqual([
      400,
      expect.stringContaining("No developer in the pool has this login."),
    ]);
    const long = await ada.send(made.at, "add", { login: "ada-example", note: "x".repeat(501) });
    expect(readable(long.text)).toContain(`at most ${savedLimits.noteLengthMax} characters`);
    const twice = await ada.send("/saved", "add-list", { name: "backend" });
    expect(readable(twice.text)).toContain("You have a list of this name already");
    const off = await ada.send(made.at, "remove", { login: "Ben-Sample" });
    expect(readable(off.text)).toContain("1 person");
    // Whoever is erased is gone from it.
    await roster.modules.pool.erasing.hide("ada-example");
    expect(readable((await ada.open(made.at)).text)).toContain("no longer in the pool");
    const gone = await ada.send(made.at, "remove-list");
    expect([gone.at, readable(gone.text)]).toEqual([
      "/saved",
      expect.stringContaining("No list yet"),
    ]);
    expect(await countCalls(roster)).toBe(3);
  });

  test("takes whom a page has shown for nothing, and asks a call for anybody else", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const page = await ada.open("/developers/ada-example");
    const read = (name: string) => new RegExp(`name="${name}" value="([0-9a-f]+)"`).exec(page.text);
    const [token = "", shown = ""] = ["token", "shown"].map((name) => read(name)?.[1] ?? "");
    const { at } = await ada.send("/saved", "add-list", { name: "Mine" });
    const list = /\/saved\/lists\/(lst_\w+)/.exec((await ada.open(at)).text)?.[1] ?? "";
    roster.clock.advance(61);
    const add = (fields: Record<string, string>) =>
      ada.ask("/saved", form({ token, act: "add", list, ...fields }));
    expect((await add({ login: "ada-example", shown })).status).toBe(303);
    expect(await countCalls(roster)).toBe(1);
    expect((await add({ login: "ben-sample", shown })).status).toBe(303);
    expect(await countCalls(roster)).toBe(2);
    expect((await add({ login: "nobody-at-all", shown })).status).toBe(400);
    expect(await countCalls(roster)).toBe(3);
    // Of another account, the mark says nothing.
    const ben = await invited(roster, "ben@example.org");
    const theirs = { token: await ben.tokenOn("/saved"), act: "add", list: "new", name: "Mine" };
    await ben.ask("/saved", form({ ...theirs, login: "ada-example", shown }));
    const account = await roster.modules.accounts.find("ben@example.org");
    expect((await roster.modules.quota.usage({ accountId: account?.id ?? "" })).month.used).toBe(1);
    // An exhausted account is told so, and nobody is added.
    await roster.modules.accounts.setPlan(email, "pro", { callsPerMonth: 3 });
    const refused = await add({ login: "chloe-specimen" });
    expect([refused.status, readable(refused.text)]).toEqual([
      400,
      expect.stringContaining("quota is exceeded"),
    ]);
  });

  test("is nobody else's", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const { at } = await ada.send("/saved", "add", {
      login: "ada-example",
      list: "new",
      name: "Mine",
    });
    const search = await saveBerlin(ada);
    const ben = await invited(roster, "ben@example.org", { administrator: true });
    for (const path of [at, `${at}?format=csv`, search.at]) {
      expect((await ben.open(path)).status).toBe(404);
    }
    const token = await ben.tokenOn("/saved");
    const add = await ben.send("/saved", "add", {
      login: "ada-example",
      list: at.split("/").at(-1) ?? "",
    });
    expect([add.status, token === ""]).toEqual([404, false]);
    expect(readable(add.text)).toContain("You have no such list.");
    const isUnchanged = async () => [
      readable((await ada.open(at)).text).includes("1 person"),
      (await ada.open(search.at)).status,
      / (list|search)\.removed /.test(readable((await ben.open("/admin/audit")).text)),
    ];
    const before = await isUnchanged();
    expect(before).toEqual([true, 200, false]);
    const forms: [string, string, Record<string, string>?][] = [
      [at, "add", { login: "ada-example" }],
      [at, "remove", { login: "ada-example" }],
      [at, "remove-list"],
      [search.at, "run"],
      [search.at, "seen"],
      [search.at, "remove-search"],
    ];
    for (const [path, act, fields] of forms) {
      for (const other of [path, path.replace(/_\w+$/, "_nobodys")]) {
        const page = await ben.ask(other, form({ token, act, ...fields }));
        expect([act, other, page.status]).toEqual([act, other, 404]);
      }
    }
    expect(await isUnchanged()).toEqual(before);
    expect((await roster.modules.accounts.list()).length).toBeGreaterThan(1);
    expect(readable((await ben.open("/saved")).text)).not.toContain("Mine");
    const guest = await fetchAsGuest(roster, at);
    expect(guest).toStartWith("/sign-in");
  });
});

async function fetchAsGuest(roster: TestAppliance, path: string): Promise<string> {
  const response = await roster.handle(new Request(`http://127.0.0.1:7171${path}`));
  return response.headers.get("location") ?? "";
}

describe("a saved search", () => {
  test("runs as a call and tells what has changed until it was seen", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const saved = await saveBerlin(ada);
    expect(saved.at).toMatch(/^\/saved\/searches\/sea_/);
    expect(readable(saved.text)).toContain("nothing new on");
    expect(await countCalls(roster)).toBe(1);
    await roster.modules.pool.erasing.hide("ada-example");
    await roster.modules.search.refresh();
    roster.clock.advance(3600);
    const ran = await ada.send(saved.at, "run");
    expect(readable(ran.text)).toContain("1 gone since");
    expect(await countCalls(roster)).toBe(2);
    expect(readable((await ada.open("/saved")).text)).toContain("1 gone since");
    const csv = await ada.open(`${saved.at}?format=csv`);
    expect(csv.text).toMatch(/^login,score,score_before,state\r\n/);
    expect(csv.text).toContain(",gone\r\n");
    const seen = await ada.send(saved.at, "seen");
    expect(readable(seen.text)).toContain("nothing new on");
    expect(seen.text).not.toContain("ada-example");
    const unknown = await ada.send("/saved", "save-search", {
      name: "x",
      query: "role=frobnicator",
    });
    expect([unknown.status, readable(unknown.text)]).toEqual([
      400,
      expect.stringContaining("role"),
    ]);
    const gone = await ada.send(saved.at, "remove-search");
    expect(readable(gone.text)).toContain("No search yet.");
  });
});

test.skipIf(!hasBrowser)(
  "they look right, with and without anything in them",
  async () => {
    const port = await freePort();
    const config = { port, publicUrl: `http://127.0.0.1:${port}` };
    const now = new Date().toISOString();
    const roster = await openTestAppliance({ folder: true, now, config });
    const address = roster.listen();
    const browser = await launch();
    try {
      const { tab, complaints } = await openTab(browser, address);
      await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
      await acceptInvitation(roster, tab, email);
      await tab.goto("/saved");
      const wrong = await looked(tab, "saved-none");
      await tab.getByLabel("Name of a new list").fill("Backend people near Berlin");
      await tab.getByRole("button", { name: "Make a list" }).click();
      await tab.getByRole("link", { name: "Backend people near Berlin" }).click();
      wrong.push(...(await looked(tab, "list-empty")));
      for (const login of ["ada-example", "Ben-Sample"]) {
        await tab.getByLabel("Login", { exact: true }).fill(login);
        await tab.getByLabel("Note").fill("met at a conference; wants to work from home");
        await tab.getByRole("button", { name: "Add to the list" }).click();
        await tab.getByText(`${login} is on the list.`).waitFor();
      }
      wrong.push(...(await looked(tab, "list")));
      await saveInTab(roster);
      await tab.goto("/saved");
      wrong.push(...(await looked(tab, "saved")));
      await tab.getByRole("link", { name: "Go in Berlin" }).click();
      await tab.getByText("1 gone, 1 changed").waitFor();
      wrong.push(...(await looked(tab, "saved-search")));
      expect([...wrong, ...complaints]).toEqual([]);
    } finally {
      await browser.close();
      await roster.close();
    }

    /** As the page of results would, with a past. */
    async function saveInTab({ modules, config: { data } }: TestAppliance): Promise<void> {
      const control = openSqliteControlStore(join(data, "control.db"));
      const account = await modules.accounts.find(email);
      const at = new Date(Date.now() - 8 * 86_400_000);
      const by = { at, actor: account?.id ?? "", action: "search.added", subject: "s", detail: {} };
      const people = { "ada-example": 80, "Ben-Sample": 70, "chloe-specimen": 60 };
      const toRun = (scores: Record<string, number>, when: Date) => ({
        ...{ total: Object.keys(scores).length, at: when },
        people: Object.entries(scores).map(([login, score]) => ({ login, score })),
      });
      const search = { id: "sea_1", name: "Go in Berlin", query: "location=Berlin" };
      await control.saved.addSearch(account?.id ?? "", search, toRun(people, at), by);
      const now = toRun({ "ada-example": 81.5, "Ben-Sample": 70 }, new Date());
      await control.saved.noteRun(account?.id ?? "", "sea_1", now);
      await control.close();
    }
  },
  300_000,
);

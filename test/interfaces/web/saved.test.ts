/** Lists and saved searches as somebody uses them, and that they are nobody else's. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { savedLimits } from "../../../src/control/saved-records.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { until } from "../../faults/callers.ts";
import { importNewcomers } from "./newcomers.ts";
import { countCalls, expectAnswer, form, invited, type Person, readable } from "./person.ts";

const email = "ada.keeps@example.com";

async function openRoster(): Promise<TestAppliance & AsyncDisposable> {
  const roster = await openTestAppliance({ now: new Date().toISOString() });
  return { ...roster, [Symbol.asyncDispose]: () => roster.close() };
}

const saveBerlin = (person: Person) =>
  person.send("/saved", "save-search", { name: "Go in Berlin", query: "location=Berlin" });

test("the page of results has the form that saves the search", async () => {
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
});

describe("a list", () => {
  test("takes people of the pool with a note, and gives them out as a table without formulas", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const made = await ada.send("/saved/add", "add", {
      ...{ login: "ben-sample", name: "Backend", note: '=HYPERLINK("x")' },
    });
    expect(made.at).toMatch(/^\/saved\/lists\/lst_/);
    expect(readable(made.text)).toContain("Added Ben-Sample.");
    await ada.send(made.at, "add", { login: "ada-example", note: "met in May, writes, and tests" });
    const csv = await ada.open(`${made.at}?format=csv`);
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="Backend.csv"');
    const [heading = "", ...rows] = csv.text.split("\r\n");
    // The columns of the file of a search, and two more.
    const results = await ada.open("/search/people.csv?location=Berlin");
    expect(heading).toBe(`${results.text.split("\r\n")[0]},note,added`);
    const day = roster.clock.now().toISOString().slice(0, 10);
    expect(rows).toEqual([
      expect.stringMatching(/^ada-example,Ada Example,.*,"met in May, writes, and tests",\S+$/),
      expect.stringMatching(/^Ben-Sample,.*,"'=HYPERLINK\(""x""\)",\S+$/),
      "",
    ]);
    expect(rows[0]).toEndWith(`,${day}`);
    const [card] = await roster.modules.pool.findCards(["ada-example"]);
    expect(rows[0]).toContain(`,${card?.score},${card?.profile_score},`);
    // Adding a login that no page has shown counts as a call, but not if the login is listed already.
    const calls = await countCalls(roster, email);
    expect(calls).toBe(3);
    await ada.send(made.at, "add", { login: "Ada-Example", note: "met in May, writes, and tests" });
    roster.clock.advance(61);
    await ada.send(made.at, "add", { login: "Ada-Example", note: "met in May, writes, and tests" });
    expect(await countCalls(roster, email)).toBe(calls);
    const nobody = await ada.send(made.at, "add", { login: "nobody-at-all" });
    expect(await countCalls(roster, email)).toBe(calls + 1);
    expectAnswer(nobody, 400, "No one here has the login nobody-at-all.");
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
      expect.stringContaining("No lists yet"),
    ]);
    expect(await countCalls(roster, email)).toBe(calls + 1);
  });

  test("shows people with name, role, place and overall score, in the order that is asked", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const { at } = await ada.send("/saved/add", "add", { login: "ada-example", name: "Mine" });
    for (const login of ["chloe-specimen", "ben-sample"]) {
      roster.clock.advance(1);
      await ada.send(at, "add", { login });
    }
    const calls = await countCalls(roster, email);
    roster.clock.advance(61);
    const page = await ada.open(at);
    const [card] = await roster.modules.pool.findCards(["ada-example"]);
    const role = roster.modules.search.roles.find(
      ({ id }) => id === Object.keys(card?.roleKeywords ?? {})[0],
    );
    expect(readable(page.text)).toContain(
      `Ada Example ${role?.name} · ${card?.location} · ada-example`,
    );
    expect(readable(page.text)).toContain(`${Math.round(card?.score ?? 0)} of 100`);
    const order = async (sort: string) =>
      [...(await ada.open(`${at}?sort=${sort}`)).text.matchAll(/id="person-([\w-]+)"/g)].map(
        ([, login]) => login,
      );
    expect(await order("added")).toEqual(["ben-sample", "chloe-specimen", "ada-example"]);
    expect(await order("name")).toEqual(["ada-example", "ben-sample", "chloe-specimen"]);
    const cards = await roster.modules.pool.findCards([
      "ada-example",
      "Ben-Sample",
      "chloe-specimen",
    ]);
    const best = cards.toSorted((a, b) => (b?.score ?? 0) - (a?.score ?? 0));
    expect(await order("score")).toEqual(best.map((one) => one?.login.toLowerCase()));
    expect(await order("frobnicator")).toEqual(await order("added"));
    expect(await countCalls(roster, email)).toBe(calls);
  });

  test("is shown fifty people a page; other orders and the CSV of a long one need calls that are left", async () => {
    const roster = await openTestAppliance({ folder: true });
    const ada = await invited(roster, email, { callsPerMonth: 2 });
    const { at } = await ada.send("/saved/add", "add", { login: "ada-example", name: "Mine" });
    const database = new Database(join(roster.config.data, "control.db"));
    const add = database.query("INSERT INTO list_entry VALUES (?1, ?2, ?2, '', ?3)");
    const list = at.slice("/saved/lists/".length);
    for (let number = 0; number < 149; number++) add.run(list, `left-${100 + number}`, number);
    database.close();
    const logins = async (path: string) =>
      [...(await ada.open(path)).text.matchAll(/id="person-([\w-]+)"/g)].map(([, login]) => login);
    const [first, second] = [await logins(at), await logins(`${at}?page=3`)];
    expect([first.length, first[0], first[1], second.length]).toEqual([
      ...[50, "ada-example", "left-248", 50],
    ]);
    expect(new Set([...first, ...second, ...(await logins(`${at}?page=2`))]).size).toBe(150);
    expect(await logins(`${at}?page=99`)).toEqual(second);
    expect((await ada.open(at)).text).toContain(`href="${at}?page=2"`);
    const byName = await logins(`${at}?sort=name&page=3`);
    expect([byName.length, byName[49]]).toEqual([50, "left-248"]);
    const table = (await ada.open(`${at}?sort=name&format=csv`)).text.trim().split("\r\n");
    expect(table.length).toBe(151);
    await ada.open("/find?text=ada");
    for (const path of [`${at}?sort=name`, `${at}?format=csv`]) {
      expect([path, (await ada.open(path)).status]).toEqual([path, 429]);
    }
    await roster.close();
  });

  test("has notes that are changed in their place, also of people who have left", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const { at } = await ada.send("/saved/add", "add", { login: "ada-example", name: "Mine" });
    const noted = await ada.send(at, "note", { login: "ada-example", note: "met in\r\nMay" });
    expect(noted.at).toBe(`${at}#person-ada-example`);
    expect(readable(noted.text)).toContain("met in May Edit the note");
    expect(readable(noted.text)).toContain("Note saved.");
    const long = await ada.send(at, "note", { login: "ada-example", note: "x".repeat(501) });
    expect(long.status).toBe(400);
    expect(long.text).toMatch(/<details open>.*x{501}<\/textarea>/s);
    // Adding somebody again does not lose what was written.
    await ada.send(at, "add", { login: "ada-example" });
    await roster.modules.pool.erasing.hide("ada-example");
    const gone = await ada.send(at, "note", { login: "ada-example", note: "has left" });
    expect(readable(gone.text)).toContain("no longer in the pool");
    expect(readable(gone.text)).toContain("has left Edit the note");
    expect((await ada.send(at, "note", { login: "ada-example" })).text).not.toContain("has left");
    const nobody = await ada.send(at, "note", { login: "ben-sample", note: "not listed" });
    expectAnswer(nobody, 400, "no longer on the list");
  });

  test("lets selected people be compared, exported, moved with their notes and removed", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const { at } = await ada.send("/saved/add", "add", { login: "ada-example", name: "First" });
    await ada.send(at, "add", { login: "ben-sample", note: "call on Monday" });
    await ada.send(at, "add", { login: "chloe-specimen" });
    const second = await ada.send("/saved", "add-list", { name: "Second" });
    await ada.send(second.at, "add", { login: "chloe-specimen", note: "known" });
    const token = await ada.tokenOn(at);
    const send = (act: string, logins: readonly string[], list = "") => {
      const init = form({ token, act, list });
      const people = logins.map((login) => `&login=${login}`).join("");
      return ada.ask(at, { ...init, body: `${init.body}${people}` });
    };
    expectAnswer(await send("remove", []), 400, "Select at least one person first.");
    const first = await send("compare", []);
    expect(first.headers.get("location")).toMatch(/^\/compare\?login=\S+&login=\S+&login=\S+$/);
    const both = "login=ada-example&login=ben-sample";
    const compared = await send("compare", ["ada-example", "ben-sample"]);
    expect(compared.headers.get("location")).toBe(`/compare?${both}`);
    const exported = await send("export", ["ada-example", "ben-sample"]);
    const csv = await ada.open(exported.headers.get("location") ?? "");
    expect(csv.text.trim().split("\r\n").length).toBe(3);
    const to = second.at.split("/").at(-1) ?? "";
    const moved = await send("move", ["ben-sample", "chloe-specimen"], to);
    expect(moved.headers.get("location")).toBe(second.at);
    const words = readable((await ada.open(second.at)).text);
    expect(words).toMatch(/Moved to Second\..* call on Monday .* known /);
    expect(readable((await ada.open(at)).text)).toContain("1 person");
    const nowhere = await send("move", ["ada-example"], "lst_nobodys");
    expectAnswer(nowhere, 404, "You have no such list.");
    await send("remove", ["ada-example"]);
    expect(readable((await ada.open(at)).text)).toContain("No one is on this list yet.");
  });

  test("takes people where they stand, and says so there, for no call", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const places = [
      "/?location=Berlin&skills=Go",
      "/developers/ada-example",
      "/who?repository=demo-guild/onyx-vault",
    ];
    for (const [n, path] of places.entries()) {
      const opened = await ada.open(path);
      expect(opened.status).toBe(200);
      const [, to] = /href="(\/saved\/add[^"]*)"/.exec(opened.text) ?? [];
      const page = to === undefined ? opened : await ada.open(to.replaceAll("&amp;", "&"));
      const [, sent = ""] =
        /(<form[^>]*action="\/saved\/add["?].*?<\/form>)/s.exec(page.text) ?? [];
      const fields = Object.fromEntries(
        [...sent.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name ?? "",
          (value ?? "").replaceAll("&amp;", "&"),
        ]),
      );
      expect([path, fields["back"]]).toEqual([path, path]);
      const calls = await countCalls(roster, email);
      // The form works on a page that was open for long.
      roster.clock.advance(600);
      const added = await ada.ask(
        "/saved/add",
        form({ ...fields, name: `List ${n}`, note: "seen" }),
      );
      const login = fields["login"]?.toLowerCase();
      expect(added.headers.get("location")).toBe(`${path}#person-${login}`);
      const shown = await ada.open(path);
      expect(readable(shown.text)).toContain(`Added to List ${n}`);
      expect([path, await countCalls(roster, email)]).toEqual([path, calls]);
      // A reload names the lists instead.
      expect(readable((await ada.open(path)).text)).toMatch(/On List 0/);
    }
    // A comparison leads to one form for all of its people.
    const both = "login=ada-example&login=Ben-Sample";
    const { text } = await ada.open(`/compare?${both}`);
    expect(text).toContain(`href="/saved/add?${both.replace("&", "&amp;")}"`);
    // The form leads back to pages of Roster only; the name of a list in another case is that list.
    const token = await ada.tokenOn("/saved");
    const away = { token, act: "add", login: "ada-example", name: "list 0" };
    const back = await ada.ask("/saved/add", form({ ...away, back: "//elsewhere.example/" }));
    expect(back.headers.get("location")).toMatch(/^\/saved\/lists\/lst_/);
    expect(readable((await ada.open("/saved")).text)).not.toContain("List 0 2 ");
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
      ada.ask("/saved/add", form({ token, act: "add", list, ...fields }));
    expect((await add({ login: "ada-example", shown })).status).toBe(303);
    expect(await countCalls(roster, email)).toBe(1);
    expect((await add({ login: "ben-sample", shown })).status).toBe(303);
    expect(await countCalls(roster, email)).toBe(2);
    expect((await add({ login: "nobody-at-all", shown })).status).toBe(400);
    expect(await countCalls(roster, email)).toBe(3);
    // The mark is valid for one account.
    const ben = await invited(roster, "ben@example.org");
    const theirs = { token: await ben.tokenOn("/saved"), act: "add", name: "Mine" };
    await ben.ask("/saved/add", form({ ...theirs, login: "ada-example", shown }));
    expect(await countCalls(roster, "ben@example.org")).toBe(1);
    // An exhausted account is told so, and nobody is added.
    await roster.modules.accounts.setPlan(email, "pro", { callsPerMonth: 3 });
    const refused = await add({ login: "chloe-specimen" });
    expectAnswer(refused, 400, "quota is exceeded");
  });

  test("is nobody else's", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const { at } = await ada.send("/saved/add", "add", { login: "ada-example", name: "Mine" });
    const search = await saveBerlin(ada);
    const ben = await invited(roster, "ben@example.org", { administrator: true });
    for (const path of [at, `${at}?format=csv`, search.at]) {
      expect((await ben.open(path)).status).toBe(404);
    }
    const token = await ben.tokenOn("/saved");
    const list = at.split("/").at(-1) ?? "";
    const add = await ben.send("/saved/add", "add", { login: "ada-example", list });
    expect([add.status, token === ""]).toEqual([404, false]);
    expect(readable(add.text)).toContain("You have no such list.");
    const isUnchanged = async () => [
      readable((await ada.open(at)).text).includes("1 person"),
      (await ada.open(search.at)).status,
      /removed a (list|saved search)/.test(readable((await ben.open("/admin/audit")).text)),
    ];
    const before = await isUnchanged();
    expect(before).toEqual([true, 200, false]);
    const forms: [string, string, Record<string, string>?][] = [
      [at, "add", { login: "ada-example" }],
      [at, "note", { login: "ada-example", note: "theirs" }],
      [at, "remove", { login: "ada-example" }],
      [at, "remove-list"],
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
  test("is saved as a call, runs by itself for nothing, and tells what has changed", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    await importNewcomers(roster, { come: ["zoe-sample"] });
    const saved = await saveBerlin(ada);
    expect(saved.at).toMatch(/^\/saved\/searches\/sea_/);
    expect(readable(saved.text)).toContain("No changes since");
    expect(await countCalls(roster, email)).toBe(1);
    roster.clock.advance(3600);
    await importNewcomers(roster, { come: ["yan-sample", "xia-sample"], leave: ["zoe-sample"] });
    const menu = async () =>
      readable((await ada.open("/account")).text).match(/Saved( \(.*?\))?/)?.[0];
    await until(async () => (await menu()) === "Saved (2 new)");
    const overview = await ada.open("/saved");
    expect(readable(overview.text)).toContain("2 new, 1 gone since");
    expect(overview.text).toMatch(/class="badge good">2 new</);
    // The page of the search shows the news, and the menu no longer. A reload shows the same.
    for (const _ of [1, 2]) {
      const looked = await ada.open(saved.at);
      expect(readable(looked.text)).toContain("2 new, 1 gone since");
      expect(readable(looked.text)).not.toContain("Saved (");
    }
    expect(await menu()).toBe("Saved");
    const csv = await ada.open(`${saved.at}?format=csv`);
    expect(csv.text).toMatch(/^login,score,score_before,state\r\n/);
    expect(csv.text).toContain(",gone\r\n");
    // The next run is compared with what was looked at.
    await importNewcomers(roster, { come: [], leave: ["xia-sample"] });
    await until(async () => !readable((await ada.open("/saved")).text).includes("2 new"));
    expect(readable((await ada.open("/saved")).text)).toContain(" 1 gone since");
    expect(readable((await ada.open(saved.at)).text)).not.toContain("zoe-sample");
    expect(await countCalls(roster, email)).toBe(1);
    const unknown = await ada.send("/saved", "save-search", {
      name: "x",
      query: "role=frobnicator",
    });
    expectAnswer(unknown, 400, "role");
    const gone = await ada.send(saved.at, "remove-search");
    expect(readable(gone.text)).toContain("No saved searches yet.");
  });
});

test("a saved search shows who is gone and whose score has changed", async () => {
  const roster = await openTestAppliance({ folder: true, now: new Date().toISOString() });
  const ada = await invited(roster, email);
  const id = (await roster.modules.accounts.find(email))?.id ?? "";
  const control = openSqliteControlStore(join(roster.config.data, "control.db"));
  const at = new Date(Date.now() - 8 * 86_400_000);
  const by = { at, actor: id, action: "search.added", subject: "s", detail: {} } as const;
  const toRun = (scores: Record<string, number>, when: Date) => ({
    ...{ total: Object.keys(scores).length, at: when, model: "2026.11.8" },
    people: Object.entries(scores).map(([login, score]) => ({ login, score })),
  });
  const search = { id: "sea_1", name: "Go in Berlin", query: "location=Berlin" };
  const before = { "ada-example": 80, "Ben-Sample": 70, "chloe-specimen": 60 };
  await control.saved.addSearch(id, search, toRun(before, at), by);
  const after = toRun({ "ada-example": 81.5, "Ben-Sample": 70 }, new Date());
  await control.saved.noteRun(id, "sea_1", after);
  await control.close();
  const words = readable((await ada.open("/saved/searches/sea_1")).text);
  expect(words).toContain("1 gone, 1 with another score since");
  expect(words).toMatch(
    /Gone 1 CS chloe-specimen .* was 60 New score 1 .* up from 80 82 match No change 1 .* 70 match/,
  );
  await roster.close();
});

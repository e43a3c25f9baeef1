/** Mail about new people in saved searches: who gets it, when, and what makes it stop. The sender's part is played by hand. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { createSearchMail } from "../../../src/delivery/delivery.ts";
import { openTestAppliance } from "../../appliance.ts";
import { until } from "../../faults/callers.ts";
import { importNewcomers } from "./newcomers.ts";
import { expectAnswer, form, invited, type Person, readable } from "./person.ts";

const email = "ada.keeps@example.com";
const server = "smtp://127.0.0.1:1";
const mail = {
  ...{ server, from: "roster@corp.example" },
  ...{ user: undefined, password: undefined, passwordFile: undefined },
};

async function open() {
  const started = new Date().toISOString();
  const roster = await openTestAppliance({ folder: true, now: started, config: { mail } });
  const control = openSqliteControlStore(join(roster.config.data, "control.db"));
  const { now } = roster.clock;
  const publicUrl = () => "https://roster.example";
  const searchMail = createSearchMail({ control, now, publicUrl, live: () => ({ mail }) });
  const waits = async (ms = 0) => {
    const at = new Date(now().getTime() + ms);
    return control.deliveries.claim("searches", at, at, 100);
  };
  const person = await invited(roster, email);
  const saveSearch = async (name: string) =>
    (await person.send("/saved", "save-search", { name, query: "location=Berlin" })).at;
  const close = async () => {
    await control.close();
    await roster.close();
  };
  return {
    ...{ roster, control, person, saveSearch, waits, searchMail },
    /** Writes what waits, and takes it from the queue. */
    takeAll: async (ms = 0) => {
      const all = await waits(ms);
      const written = [];
      for (const { body } of all) written.push(await searchMail.write(body));
      const outcomes = all.map(({ id }) => ({ id, attempts: 1, dueMs: null }));
      await control.deliveries.noteOutcomes("searches", outcomes);
      return written;
    },
    [Symbol.asyncDispose]: close,
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Turns mail on, and confirms the address by the link. */
async function confirm({ person, takeAll }: Opened, at: string) {
  await person.send(at, "mail-on");
  const [asking] = await takeAll();
  const link = /\/saved\/mail\/\w+/.exec(asking?.text ?? "")?.[0] ?? "";
  return person.send(link, "confirm");
}

const come = async (opened: Opened, login: string, at: string) => {
  await importNewcomers(opened.roster, { come: [login] });
  // The run is over when the page of the account has counted the person.
  const id = at.split("/").at(-1) ?? "";
  const account = (await opened.roster.modules.accounts.find(email))?.id ?? "";
  await until(async () => {
    const found = await opened.control.saved.findSearch(account, id);
    return found?.found.some((one) => one.login === login) === true;
  });
};

const dayMs = 86_400_000;

describe("mail about a saved search", () => {
  test("is not spoken of where the operator has set up none", async () => {
    const roster = await openTestAppliance({ now: new Date().toISOString() });
    const ada = await invited(roster, email);
    const saved = await ada.send("/saved", "save-search", { name: "x", query: "location=Berlin" });
    expect(readable(saved.text)).toContain("No changes since");
    expect(saved.text).not.toContain("mail-o");
    expect(readable(saved.text).replace(email, "")).not.toMatch(/\bmail/i);
    await roster.close();
  });

  test("needs an address that its owner has confirmed, by a button and not by opening the link", async () => {
    await using opened = await open();
    const { person, saveSearch, takeAll, waits, roster } = opened;
    const at = await saveSearch("Go in Berlin");
    const asked = await person.send(at, "mail-on");
    expect(readable(asked.text)).toContain(`Open the link that was mailed to ${email} .`);
    // A run before the confirmation is not told.
    await come(opened, "zoe-sample", at);
    const [asking, ...others] = await takeAll();
    expect(others).toEqual([]);
    expect(asking).toMatchObject({ to: email, subject: "Roster: confirm your address" });
    const link = /https:\/\/roster\.example(\/saved\/mail\/[0-9a-f]{64})\n/.exec(
      asking?.text ?? "",
    )?.[1];
    expect(link).toBeDefined();
    const shown = await person.open(link ?? "");
    expect(readable(shown.text)).toContain(`Roster will mail ${email} about new people`);
    expect(readable((await person.open(at)).text)).toContain("Open the link");
    // It is of no use to others, whoever they are.
    const other = await invited(roster, "mallory@example.com");
    expectAnswer(await other.open(link ?? ""), 404, "for another account or an earlier address");
    const confirmed = await person.send(link ?? "", "confirm");
    expect(readable(confirmed.text)).toContain("Your address is confirmed.");
    expect(readable((await person.open(at)).text)).toContain(`New people are mailed to ${email}`);
    expect(await waits()).toEqual([]);
    // Another search of the account asks no more.
    const second = await person.send(await saveSearch("Berlin"), "mail-on");
    expect(readable(second.text)).toContain("Roster mails you about new people.");
    expect(await takeAll()).toEqual([]);
  });

  test("tells how many are new, names nobody, and comes at most once a day", async () => {
    await using opened = await open();
    const { saveSearch, takeAll, waits, roster } = opened;
    const at = await saveSearch("Go in Berlin");
    await confirm(opened, at);
    await come(opened, "zoe-sample", at);
    await come(opened, "yan-sample", at);
    const bodies = (await waits()).map(({ body }) => body);
    expect(bodies).toEqual([JSON.stringify({ search: at.split("/").at(-1) })]);
    const [news, ...others] = await takeAll();
    expect(others).toEqual([]);
    expect(news).toEqual({
      to: email,
      subject: "Roster: 2 new people in Go in Berlin",
      text: `Your saved search "Go in Berlin" has 2 new people.\n\nhttps://roster.example${at}\n\nTo end these mails, open the page and choose Turn off.\n`,
    });
    roster.clock.advance(3600);
    await come(opened, "xia-sample", at);
    expect(await waits()).toEqual([]);
    expect(await waits(dayMs - 3_700_000)).toEqual([]);
    expect(await takeAll(dayMs)).toMatchObject([
      { subject: "Roster: 3 new people in Go in Berlin" },
    ]);
    // A run that finds nobody new is not told.
    await importNewcomers(roster, { come: [], leave: ["xia-sample"] });
    await Bun.sleep(3000);
    expect(await waits(10 * dayMs)).toEqual([]);
  }, 30_000);

  const endings: readonly [what: string, end: (opened: Opened, at: string) => Promise<unknown>][] =
    [
      ["it is turned off", ({ person }, at) => person.send(at, "mail-off")],
      ["its owner has looked", ({ person }, at) => person.open(at)],
      ["the search is deleted", ({ person }, at) => person.send(at, "remove-search")],
      ["the account is disabled", ({ roster }) => roster.modules.accounts.setDisabled(email, true)],
      [
        "the new person is erased",
        async ({ roster, control }) => {
          await roster.modules.pool.erasing.hide("zoe-sample");
          await control.saved.erase(["zoe-sample"]);
        },
      ],
      [
        "the account has another address",
        ({ roster }) => {
          const database = new Database(join(roster.config.data, "control.db"));
          database.run(
            "UPDATE account SET email = 'new@x.example', email_key = 'new@x.example' WHERE email LIKE 'ada.keeps%'",
          );
          database.close();
          return Promise.resolve();
        },
      ],
    ];
  test.each(endings)("that waits is dropped when %s", async (_, end) => {
    await using opened = await open();
    const at = await opened.saveSearch("Go in Berlin");
    await confirm(opened, at);
    await come(opened, "zoe-sample", at);
    await end(opened, at);
    const dropped = await opened.takeAll();
    expect(dropped).toEqual([undefined]);
  });

  test("asks an account at most three times in an hour, and does not touch others' searches", async () => {
    await using opened = await open();
    const { person, saveSearch, roster, takeAll } = opened;
    const at = await saveSearch("Go in Berlin");
    const ask = (one: Person) => one.send(at, "mail-on");
    const other = await invited(roster, "mallory@example.com");
    const token = await other.tokenOn("/saved");
    for (const act of ["mail-on", "mail-off"]) {
      expectAnswer(await other.ask(at, form({ token, act })), 404, "You have no such saved search");
    }
    for (const _ of [1, 2, 3]) {
      await ask(person);
      expect(await takeAll()).toHaveLength(1);
    }
    expectAnswer(await ask(person), 400, "Try again in an hour");
    expect(await takeAll()).toEqual([]);
    roster.clock.advance(3601);
    await ask(person);
    expect(await takeAll()).toHaveLength(1);
  });
});

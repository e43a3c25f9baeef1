/** What the account and administration pages do, and what they never show. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import {
  expectAnswer,
  form,
  goodPassword,
  invited,
  openPerson,
  type Person,
  readable,
} from "../person.ts";

const roster = await openTestAppliance();
let ada = await invited(roster, "ada@example.com");
const boss = await invited(roster, "boss@example.com", { administrator: true });
afterAll(() => roster.close());

const accountOf = async (email: string) => {
  const account = await roster.modules.accounts.find(email);
  if (!account) throw new Error(`${email} has no account`);
  return account;
};
const adminPathOf = async (email: string) => `/admin/accounts/${(await accountOf(email)).id}`;
const keyIn = (html: string) => /rst_[0-9A-Za-z]{49}/.exec(html)?.[0];
const tokenIn = (html: string) => /\?token=([0-9A-Za-z]{20,})/.exec(html)?.[1];
const statusWith = async (key: string) => (await roster.client.get("no-such-login", key)).status;

describe("the API tab", () => {
  let key: string;

  test("makes the key and shows it once", async () => {
    const page = await ada.send("/account/api", "create");
    key = keyIn(page.text) as string;
    expect([page.status, page.at, await statusWith(key)]).toEqual([200, "/account/api", 404]);
    expect(keyIn((await ada.open("/account/api")).text)).toBeUndefined();
    expect(roster.log()).not.toContain(key);
  });

  test("does not show it to a page that is fetched ahead, nor spend it on one", async () => {
    const token = await ada.tokenOn("/account/api");
    const password = goodPassword;
    await ada.ask("/account/api", form({ token, act: "regenerate", password }));
    for (const init of [{ method: "HEAD" }, { headers: { "sec-purpose": "prefetch" } }]) {
      expect(keyIn((await ada.ask("/account/api", init)).text)).toBeUndefined();
    }
    key = keyIn((await ada.ask("/account/api")).text) as string;
    expect(await statusWith(key)).toBe(404);
  });

  test("makes no second key where there is one, and none without the password", async () => {
    for (const [act, fields, words] of [
      ["create", {}, "You have a key already"],
      ["regenerate", {}, "Password is missing"],
      ["regenerate", { password: "wrong password" }, "password is wrong"],
    ] as const) {
      const page = await ada.send("/account/api", act, fields);
      expectAnswer(page, 400, words);
    }
    expect(await statusWith(key)).toBe(404);
  });

  test("asks for the password for a first key too, once the sign-in is some time ago", async () => {
    const person = await invited(roster, "late@example.com");
    roster.clock.advance(11 * 60);
    expect((await person.send("/account/api", "create")).status).toBe(400);
    const page = await person.send("/account/api", "create", { password: goodPassword });
    expect(keyIn(page.text)).toBeDefined();
  });
});

describe("the security page", () => {
  test("ends one session, ends all others, and never another account's", async () => {
    const [here, there, elsewhere] = [openPerson(roster), openPerson(roster), openPerson(roster)];
    for (const person of [here, there, elsewhere]) {
      await person.send("/sign-in", "sign-in", {
        email: "ada@example.com",
        password: goodPassword,
      });
    }
    const sessions = async (person: Person) =>
      [
        ...(await person.open("/account/security")).text.matchAll(
          /name="session" value="([^"]+)"/g,
        ),
      ].map(([, id]) => id as string);
    const others = await sessions(here);
    expect(others.length).toBe(3);
    for (const session of [others[0] as string, "nobodys"]) {
      const page = await boss.send("/account/security", "end", { session });
      expectAnswer(page, 404, "You have no such session.");
      const assistant = await boss.send("/account/assistants", "disconnect", {
        assistant: session,
      });
      expect(assistant.status).toBe(404);
    }
    expect((await sessions(here)).length).toBe(3);
    await here.send("/account/security", "end", { session: others[0] as string });
    expect((await sessions(here)).length).toBe(2);
    await here.send("/account/security", "end-others");
    expect(await sessions(here)).toEqual([]);
    expect((await there.ask("/account")).status).toBe(303);
    expect((await here.ask("/account")).status).toBe(200);
    ada = here;
  });

  test("changes the password, and names the field that is wrong", async () => {
    const next = "a-second-quiet-otter";
    const wrong = { current: "not it at all", next };
    const refused = await ada.send("/account/security", "password", wrong);
    expect(refused.text).toContain('href="#password-current"');
    expect(refused.status).toBe(400);
    const weak = { current: goodPassword, next: "password123" };
    const page = await ada.send("/account/security", "password", weak);
    expect(page.text).toContain('href="#password-next"');
    const signIn = (person: Person, password: string) =>
      person.send("/sign-in", "sign-in", { email: "ada@example.com", password });
    const elsewhere = openPerson(roster);
    await signIn(elsewhere, goodPassword);
    await ada.send("/account/security", "password", { current: goodPassword, next });
    expect((await ada.ask("/account")).status).toBe(200);
    expect((await elsewhere.ask("/account")).status).toBe(303);
    expect((await signIn(openPerson(roster), goodPassword)).status).toBe(400);
    expect((await signIn(openPerson(roster), next)).at).toBe("/");
  });
});

describe("administration", () => {
  test("makes an account with a plan and an invitation that lets its holder in", async () => {
    // The plan that is chosen at first does not run out in a month.
    const { text } = await boss.open("/admin/accounts");
    expect(readable(/<option[^>]*selected.*?<\/option>/.exec(text)?.[0] ?? "")).toContain(
      "enterprise: no monthly limit, 2,000 a day",
    );
    const fields = { email: "new@example.com", plan: "free" };
    // The administrator's sign-in is too old by now, so the password is needed.
    const page = await boss.send("/admin/accounts", "create", {
      ...fields,
      password: goodPassword,
    });
    const token = tokenIn(page.text) as string;
    expect(await accountOf("new@example.com")).toMatchObject({
      plan: "free",
      limits: { callsPerMonth: 50, callsPerDay: 2000 },
      keyHint: undefined,
    });
    const holder = openPerson(roster);
    const password = goodPassword;
    const at = (await holder.send(`/invitation?token=${token}`, "redeem", { password })).at;
    expect(at).toBe("/");
    expect((await holder.open(`/invitation?token=${token}`)).status).toBe(404);
    expect(tokenIn((await boss.open("/admin/accounts")).text)).toBeUndefined();
  });

  test("refuses what makes no sense, field by field, and keeps what was typed", async () => {
    const good = { email: "other@example.com", plan: "pro" };
    for (const [fields, words] of [
      [{ ...good, email: "new@example.com" }, "has an account already"],
      [{ ...good, email: "no e-mail" }, "must have the form name@example.com"],
      [{ ...good, plan: "operator" }, "Plan must be one of free, pro, enterprise"],
    ] as const) {
      const page = await boss.send("/admin/accounts", "create", fields);
      expectAnswer(page, 400, words);
      expect(page.text).toContain(`value="${fields.email}"`);
    }
    expect(await roster.modules.accounts.find("other@example.com")).toBeUndefined();
  });

  test("changes plan and limits, which hold from the next call on", async () => {
    const path = await adminPathOf("new@example.com");
    for (const [limits, words] of [
      [{ callsPerMonth: "-1" }, "Calls per month must be a whole number"],
      [{ callsPerDay: "1.5" }, "Calls per day must be a whole number"],
    ] as const) {
      expectAnswer(await boss.send(path, "plan", { plan: "pro", ...limits }), 400, words);
    }
    await boss.send(path, "plan", { plan: "free", callsPerMonth: "7", callsPerDay: "Unlimited" });
    expect((await accountOf("new@example.com")).limits).toEqual({
      ...{ callsPerMonth: 7, callsPerDay: undefined },
    });
    await boss.send(path, "plan", { plan: "pro", callsPerDay: "3" });
    const { plan, limits } = await accountOf("new@example.com");
    expect([plan, limits]).toEqual(["pro", { callsPerMonth: 1000, callsPerDay: 3 }]);
    expect((await boss.open(path)).text).toMatch(/name="callsPerDay"[^>]*value="3"/);
  });

  test("disables and enables, but nobody themselves", async () => {
    const path = await adminPathOf("new@example.com");
    await boss.send(path, "disable");
    expect((await accountOf("new@example.com")).disabled).toBe(true);
    expect((await boss.send(path, "reset")).status).toBe(400);
    await boss.send(path, "enable");
    expect((await accountOf("new@example.com")).disabled).toBe(false);
    const own = await boss.send(await adminPathOf("boss@example.com"), "disable");
    expect([own.status, (await accountOf("boss@example.com")).disabled]).toEqual([400, false]);
  });

  test("makes a link for a new password, which ends the old one", async () => {
    const page = await boss.send(await adminPathOf("new@example.com"), "reset");
    const token = tokenIn(page.text) as string;
    const holder = openPerson(roster);
    const password = "a-third-quiet-otter";
    expect((await holder.open(`/invitation?token=${token}`)).status).toBe(404);
    await holder.send(`/reset-password?token=${token}`, "redeem", { password });
    const email = "new@example.com";
    const old = await openPerson(roster).send("/sign-in", "sign-in", {
      email,
      password: goodPassword,
    });
    expect(old.status).toBe(400);
    expect((await openPerson(roster).send("/sign-in", "sign-in", { email, password })).at).toBe(
      "/",
    );
  });

  test("an unknown account is 404, whatever stands in the address", async () => {
    for (const id of ["acc_nobody", "operator", "..%2f", "%00"]) {
      expect([id, (await boss.ask(`/admin/accounts/${id}`)).status]).toEqual([id, 404]);
    }
    expect((await boss.ask("/admin/accounts/%ff")).status).toBe(400);
  });

  test("the audit log names who did it, newest first, and its chain is whole", async () => {
    const { text } = await boss.open("/admin/audit?check");
    const words = readable(text);
    expect(words).toContain("The log is intact");
    expect(words).toMatch(/boss@example\.com disabled the account new@example\.com/);
    // A first key replaces none, and a confirmed password is one entry.
    expect(words).toMatch(/ada@example\.com created their API key/);
    expect(words).toMatch(/ada@example\.com replaced their API key/);
    const confirmed = words.match(/[\w.@]+ (?:confirmed|signed in)[a-z ]*/g) ?? [];
    expect(confirmed.filter((one) => one.startsWith("late@"))).toEqual([
      ...["late@example.com confirmed their password ", "late@example.com signed in "],
    ]);
  });
});

describe("names that mean harm", () => {
  test("an e-mail with markup in it stays text wherever it is shown", async () => {
    // As much of it as an address may hold: no angle brackets, but quotes and ampersands.
    const email = "a'&amp{x}`=`@example.com";
    const person = await invited(roster, email);
    for (const [who, path] of [
      [person, "/account"],
      [person, "/account/security"],
      [boss, "/admin/accounts"],
      [boss, await adminPathOf(email)],
      [boss, "/admin/audit"],
    ] as const) {
      const { text } = await who.open(path);
      expect(text).not.toContain("a'&amp{x}");
      expect(readable(text).replaceAll(" ", "")).toContain(email);
    }
  });

  test("what was typed comes back as text, never as markup", async () => {
    const hostile = `"><script>alert(1)</script>`;
    for (const page of [
      await openPerson(roster).send("/sign-in", "sign-in", { email: hostile, password: "x" }),
      await boss.send("/admin/accounts", "create", { email: hostile, plan: hostile }),
      await boss.open(`/admin/accounts?q=${encodeURIComponent(hostile)}`),
    ]) {
      expect(page.text).not.toContain("<script>alert");
      expect(page.text).toContain("&lt;script&gt;alert(1)");
    }
  });
});

describe("how accounts come to be", () => {
  test("by the setting: open, by invitation, or closed", async () => {
    for (const [signUp, title, status] of [
      ["open", "Create an account", 200],
      ["invitation", "Accounts are by invitation", 400],
      ["closed", "No sign-up here", 400],
    ] as const) {
      const config = { signIn: { signUp, assistantsRegister: true, providers: [] } };
      const other = await openTestAppliance({ people: [], config });
      const person = openPerson(other);
      const { text } = await person.open("/sign-up");
      expect(readable(text)).toContain(title);
      const token = await person.tokenOn("/sign-in");
      const fields = { token, act: "sign-up", email: "me@example.com", password: goodPassword };
      const page = await person.ask("/sign-up", form(fields));
      expect([signUp, page.status]).toEqual([signUp, status === 200 ? 303 : status]);
      const made = await other.modules.accounts.find("me@example.com");
      expect([made?.plan, made?.administrator, made?.keyHint]).toEqual(
        signUp === "open" ? ["free", false, undefined] : Array(3).fill(undefined),
      );
      await other.close();
    }
  });
});

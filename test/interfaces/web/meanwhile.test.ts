/** What changes while somebody is at a page: a form that is sent slowly, a browser that was left open. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../../appliance.ts";
import { form, goodPassword, invited, openPerson, readable } from "./person.ts";

const roster = await openTestAppliance({ people: [] });
afterAll(() => roster.close());

const accountOf = (email: string) => roster.modules.accounts.find(email);

/** A form whose second half is sent after something has happened. */
function slowly(fields: Record<string, string>, happening: () => Promise<unknown>): RequestInit {
  const { body, ...init } = form(fields);
  const bytes = new TextEncoder().encode(String(body));
  const half = bytes.length >> 1;
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.subarray(0, half)),
    pull: async (controller) => {
      await Bun.sleep(1);
      await happening();
      controller.enqueue(bytes.subarray(half));
      controller.close();
    },
  });
  return { ...init, body: stream };
}

describe("a form that is sent slowly", () => {
  test("13 does nothing for an account that was disabled meanwhile", async () => {
    const bob = await invited(roster, "bob@example.com");
    const fields = { act: "create", token: await bob.tokenOn("/account/api") };
    const { setDisabled } = roster.modules.accounts;
    const page = await bob.ask(
      "/account/api",
      slowly(fields, () => setDisabled("bob@example.com", true)),
    );
    expect([page.status, page.headers.get("location")]).toEqual([
      303,
      "/sign-in?next=%2Faccount%2Fapi",
    ]);
    expect((await accountOf("bob@example.com"))?.keyHint).toBeUndefined();
  });

  test("13 does nothing for an administrator whose session was ended meanwhile", async () => {
    const boss = await invited(roster, "boss1@example.com", { administrator: true });
    await invited(roster, "carl@example.com");
    const carl = await accountOf("carl@example.com");
    const token = await boss.tokenOn("/admin/accounts");
    const fields = { act: "plan", plan: "enterprise", token };
    const signOut = form({ act: "sign-out", token });
    const cookie = [...boss.jar].map((pair) => pair.join("=")).join("; ");
    const headers = { ...(signOut.headers as Record<string, string>), cookie };
    const page = await boss.ask(
      `/admin/accounts/${carl?.id}`,
      slowly(fields, () =>
        roster.handle(new Request("http://127.0.0.1:7171/sign-out", { ...signOut, headers })),
      ),
    );
    expect(page.headers.get("location")).toStartWith("/sign-in?");
    expect((await accountOf("carl@example.com"))?.plan).toBe("pro");
  });
});

test("a form's token is of one browser and one account together", async () => {
  const admin = await invited(roster, "boss5@example.com", { administrator: true });
  await invited(roster, "user@example.com");
  const fields = { act: "create", email: "x@example.com", plan: "pro" };
  const answerTo = async (person: typeof admin, token: string) =>
    (await person.ask("/admin/accounts", form({ ...fields, token }))).status;
  // The same account at another browser.
  const elsewhere = openPerson(roster);
  const credentials = { email: "boss5@example.com", password: goodPassword };
  await elsewhere.send("/sign-in", "sign-in", credentials);
  expect(await answerTo(admin, await elsewhere.tokenOn("/account/api"))).toBe(403);
  // The same browser, opened before somebody signed in, and as another account.
  const shared = openPerson(roster);
  const tokens = [await shared.tokenOn("/sign-in")];
  await shared.send("/sign-in", "sign-in", { ...credentials, email: "user@example.com" });
  tokens.push(await shared.tokenOn("/account/api"));
  await shared.send("/sign-out", "sign-out");
  await shared.send("/sign-in", "sign-in", credentials);
  for (const token of tokens) expect(await answerTo(shared, token)).toBe(403);
  expect(await accountOf("x@example.com")).toBeUndefined();
});

describe("an administrator's browser that was left open", () => {
  test("22 makes no link and no account without the password, not even the administrator's own", async () => {
    const boss = await invited(roster, "boss2@example.com", { administrator: true });
    roster.clock.advance(11 * 60);
    const own = `/admin/accounts/${(await accountOf("boss2@example.com"))?.id}`;
    const account = { email: "dora@example.com", plan: "enterprise" };
    for (const password of [undefined, "not the password"]) {
      const given = password === undefined ? {} : { password };
      for (const page of [
        await boss.send(own, "reset", given),
        await boss.send(own, "invitation", given),
        await boss.send("/admin/accounts", "create", { ...account, ...given }),
      ]) {
        expect(page.status).toBe(400);
        expect(readable(page.text)).toMatch(/(Password is missing|password is wrong)\./);
        expect(page.text).not.toContain("?token=");
      }
    }
    expect(await accountOf("dora@example.com")).toBeUndefined();
    const made = await boss.send(own, "reset", { password: goodPassword });
    expect(made.text).toContain("/reset-password?token=");
    // The password holds for a while.
    expect((await boss.send("/admin/accounts", "create", account)).text).toContain("?token=");
  });

  test("22 stays signed in when the password was right and the rest was not", async () => {
    const boss = await invited(roster, "boss3@example.com", { administrator: true });
    roster.clock.advance(11 * 60);
    const fields = { email: "boss3@example.com", plan: "pro", password: goodPassword };
    const page = await boss.send("/admin/accounts", "create", fields);
    expect(readable(page.text)).toContain("has an account already");
    expect((await boss.ask("/admin/accounts")).status).toBe(200);
  });
});

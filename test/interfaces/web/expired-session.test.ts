/** What somebody wrote into a form whose session had ended: signing in brings it back, and only to whom it belongs. */
import { describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { form, goodPassword, invited, type Page, type Person, readable } from "./person.ts";

const email = "ada.keeps@example.com";
const note = 'said "yes" & <maybe> über Kaffee';

async function openRoster(): Promise<TestAppliance & AsyncDisposable> {
  const config = { publicUrl: "http://127.0.0.1:7171" };
  const roster = await openTestAppliance({ now: new Date().toISOString(), config });
  return { ...roster, [Symbol.asyncDispose]: () => roster.close() };
}

/** The fields of the first form on the page that has this act, as the browser would send them. */
function fieldsOf({ text }: Page, act: string): Record<string, string> {
  const forms = [...text.matchAll(/<form method="post".*?<\/form>/gs)].map(([form]) => form);
  const found = forms.find((one) => one.includes(`name="act" value="${act}"`)) ?? "";
  const fields = [...found.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescapeHtml(value)]));
}

const unescapeHtml = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** The text in the only filled text area. */
const written = ({ text }: Page) =>
  [...text.matchAll(/<textarea[^>]*>([^<]*)<\/textarea>/g)]
    .map(([, value = ""]) => unescapeHtml(value))
    .filter(Boolean);

const endSession = (person: Person) => {
  for (const name of [...person.jar.keys()]) if (!name.includes("forms")) person.jar.delete(name);
};

/** Follows the redirect to the sign-in that answers a form without a session. */
async function askedToSignIn(person: Person, at: string, sent: RequestInit): Promise<Page> {
  const asked = await person.ask(at, sent);
  const to = asked.headers.get("location") ?? "";
  expect([asked.status, to]).toEqual([303, `/sign-in?${new URLSearchParams({ next: at })}`]);
  return person.ask(to);
}

async function sendSignIn(
  person: Person,
  page: Page,
  { password = goodPassword, as = email } = {},
): Promise<Page> {
  const fields = fieldsOf(page, "sign-in");
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? "";
  return person.ask(unescapeHtml(action), form({ ...fields, email: as, password }));
}

async function openList(person: Person): Promise<string> {
  const { at } = await person.send("/saved/add", "add", { login: "ada-example", name: "Mine" });
  return at;
}

describe("a note that is sent after the session has ended", () => {
  test("is back in its form after the sign-in, and in no address and no log", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const at = await openList(ada);
    const fields = fieldsOf(await ada.open(at), "note");
    endSession(ada);
    const asked = await askedToSignIn(ada, at, form({ ...fields, note }));
    // A wrong password does not lose it either.
    const wrong = await sendSignIn(ada, asked, { password: "not-this-one-at-all" });
    expect(readable(wrong.text)).toContain("You are not signed in");
    const signedIn = await sendSignIn(ada, wrong);
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, at]);
    const back = await ada.ask(at);
    expect([back.status, written(back)]).toEqual([200, [note]]);
    expect(back.text).toContain("<details open>");
    expect(readable(back.text)).toContain("You were signed out before this was sent");
    // Nothing was stored until it is sent again, and it comes back once.
    const again = await ada.ask(at);
    expect(written(again)).toEqual([]);
    const saved = await ada.ask(
      at,
      form({ ...fieldsOf(back, "note"), note: written(back)[0] ?? "" }),
    );
    expect(saved.status).toBe(303);
    expect(readable((await ada.ask(at)).text)).toContain(note);
    expect(roster.log()).not.toContain("Kaffee");
    for (const { headers } of [asked, wrong, signedIn, saved]) {
      expect(headers.get("location") ?? "").not.toContain("Kaffee");
    }
  });

  test("is kept for a person who is put on a list from a page, and the person still costs no call", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const fields = fieldsOf(await ada.open("/developers/ada-example"), "add");
    endSession(ada);
    roster.clock.advance(3600);
    const sent = form({ ...fields, name: "Berlin", note });
    await sendSignIn(ada, await askedToSignIn(ada, "/saved/add", sent));
    const back = await ada.ask("/saved/add");
    expect(written(back)).toEqual([note]);
    expect(back.text).toContain('value="Berlin"');
    const again = { ...fieldsOf(back, "add"), login: "ada-example", name: "Berlin", note };
    const added = await ada.ask("/saved/add", form(again));
    expect(added.headers.get("location")).toBe("/developers/ada-example#person-ada-example");
    const account = await roster.modules.accounts.find(email);
    const usage = await roster.modules.quota.usage({ accountId: account?.id ?? "" });
    expect(usage.month.used).toBe(1);
  });

  test("is shown to nobody else who signs in at this browser, and is gone after half an hour", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    await invited(roster, "ben@example.org");
    const fields = fieldsOf(await ada.open("/developers/ada-example"), "add");
    endSession(ada);
    const asked = await askedToSignIn(ada, "/saved/add", form({ ...fields, name: "Berlin", note }));
    await sendSignIn(ada, asked, { as: "ben@example.org" });
    expect((await ada.ask("/saved/add")).text).not.toContain("Kaffee");
    endSession(ada);
    const late = await askedToSignIn(ada, "/saved/add", form({ ...fields, name: "Berlin", note }));
    roster.clock.advance(31 * 60);
    await sendSignIn(ada, late);
    expect((await ada.ask("/saved/add")).text).not.toContain("Kaffee");
  });

  test("is not kept for another site, nor a form with a secret in it", async () => {
    await using roster = await openRoster();
    const ada = await invited(roster, email);
    const at = await openList(ada);
    const fields = fieldsOf(await ada.open(at), "note");
    endSession(ada);
    const sent = form({ ...fields, note });
    const headers = { ...(sent.headers as object), origin: "https://elsewhere.example" };
    await sendSignIn(ada, await askedToSignIn(ada, at, { ...sent, headers }));
    expect(written(await ada.ask(at))).toEqual([]);
    endSession(ada);
    const secret = { token: fields["token"] ?? "", act: "change", password: "Kaffee-and-cake-42" };
    await sendSignIn(ada, await askedToSignIn(ada, "/account/security", form(secret)));
    expect((await ada.ask("/account/security")).text).not.toContain("Kaffee");
  });
});

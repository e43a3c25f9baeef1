/** A form that is sent after its session has ended: what was typed comes back after sign-in, to the same account alone. */
import { afterAll, expect, test } from "bun:test";
import { removeSecrets } from "../../../src/interfaces/web/form.ts";
import { openTestAppliance } from "../../appliance.ts";
import { form, goodPassword, invited, openPerson, readable, tokenIn } from "./person.ts";

const roster = await openTestAppliance();
afterAll(() => roster.close());
const [email, other] = ["ada@corp.example", "ben@corp.example"];
const ada = await invited(roster, email);
await invited(roster, other);
const { accounts } = roster.modules;

const endSessions = async () => {
  await accounts.setDisabled(email, true);
  await accounts.setDisabled(email, false);
};

/** Sends the form for a new list after the session has ended. @returns the sign-in page. */
async function sendLate(fields: Record<string, string> = {}) {
  const token = await ada.tokenOn("/saved");
  await endSessions();
  const sent = { token, act: "add-list", name: "Typed before the end", ...fields };
  const late = await ada.ask("/saved", form(sent));
  expect([late.status, late.headers.get("location")]).toEqual([303, "/sign-in?next=%2Fsaved"]);
  return ada.ask("/sign-in?next=%2Fsaved");
}

async function signInAs(who: string, page: { readonly text: string }) {
  const fields = { token: tokenIn(page.text), act: "sign-in", email: who, password: goodPassword };
  const answer = await ada.ask("/sign-in?next=%2Fsaved", form(fields));
  expect(answer.headers.get("location")).toBe("/saved");
  return (await ada.ask("/saved")).text;
}

test("the sign-in page says that what was typed is kept, and the form shows it again, once", async () => {
  const page = await sendLate();
  expect(readable(page.text)).toContain("Sign in to continue: what you typed is kept.");
  const text = await signInAs(email, page);
  expect(readable(text)).toContain("Your session had ended. Check what you typed");
  expect(text).toContain('value="Typed before the end"');
  expect(text).not.toContain('href="/saved/lists/');
  expect((await ada.ask("/saved")).text).not.toContain("Typed before the end");
});

test("another account at the same browser does not see it, and nobody sees it after ten minutes", async () => {
  expect(await signInAs(other, await sendLate())).not.toContain("Typed before the end");
  await signInAs(
    email,
    await ada.ask("/sign-out").then(() => ada.ask("/sign-in?error=x&next=%2Fsaved")),
  );
  const page = await sendLate();
  roster.clock.advance(601);
  expect(await signInAs(email, page)).not.toContain("Typed before the end");
});

test("no password is kept, nor a form of another site or browser", async () => {
  const secrets = ["password", "current", "next", "secret", "key", "address"];
  const typed = Object.fromEntries(secrets.map((name) => [name, "my-own-secret"]));
  expect(removeSecrets({ ...typed, note: "a note" })).toEqual({ note: "a note" });
  expect(await signInAs(email, await sendLate(typed))).not.toContain("my-own-secret");
  const token = await ada.tokenOn("/saved");
  await endSessions();
  const foreign = form({ token, act: "add-list", name: "Typed elsewhere" });
  const headers = { ...(foreign.headers as object), origin: "https://elsewhere.example" };
  expect((await ada.ask("/saved", { ...foreign, headers })).status).toBe(403);
  const stranger = openPerson(roster);
  await stranger.ask("/saved", foreign);
  expect(await signInAs(email, await ada.ask("/sign-in?next=%2Fsaved"))).not.toContain(
    "Typed elsewhere",
  );
});

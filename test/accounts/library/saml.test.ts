/** Sign-in at a SAML identity provider. test/security/saml-forgeries.test.ts has what is refused. */
import { afterAll, describe, expect, test } from "bun:test";
import { address, entityId, key, openSamlHouse } from "./saml-house.ts";
import { openSamlProvider } from "./saml-provider.mjs";

const ada = "ada@example.com";
const { roster, obtain, post } = await openSamlHouse();
afterAll(() => roster.close());

describe("single sign-on by SAML", () => {
  test("makes an account at the first sign-in, on the plan of the person's group", async () => {
    const form = await obtain(ada);
    expect(form.acs).toBe(`${address}/sso/saml2/sp/acs/corp`);
    expect(await post(form)).toMatchObject({
      ...{ status: 302, at: `${address}/account` },
      visitor: { account: { email: ada, plan: "pro" }, hasPassword: false },
    });
  });

  test("an assertion signed with SHA-1 signs nobody in, and the log names the algorithm", async () => {
    const sha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
    const from = openSamlProvider({ entityId, ...key, algorithm: sha1 });
    expect(await post(await obtain(ada, { from }))).toEqual({
      ...{ status: 302, at: `${address}/sign-in?error=weak_signature`, visitor: undefined },
    });
    expect(roster.log()).toContain(`"algorithm":"${sha1}"`);
    const request = new Request(`${address}/sign-in?error=weak_signature`);
    const page = await (await roster.handle(request)).text();
    expect(page).toContain("an algorithm that Roster refuses");
  });

  /** A provider that sends the e-mail in this attribute, and a number as the NameID. */
  const sentIn = (emailName: string) => ({
    changes: { NameID: "G-7f3a9" },
    from: openSamlProvider({ entityId, ...key, emailName }),
  });

  test.each([
    "mail",
    "emailAddress",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  ])("finds the e-mail in %s, whatever the NameID is", async (emailName) => {
    const { visitor } = await post(await obtain("dan@example.com", sentIn(emailName)));
    expect(visitor?.account.email).toBe("dan@example.com");
  });

  test("says in the log what came where none of it is an e-mail, names and not values", async () => {
    const { visitor, at } = await post(await obtain(ada, sentIn("contact")));
    expect([visitor, new URL(at).searchParams.get("error")]).toEqual([undefined, "no_email"]);
    const lines = roster.log().split("\n");
    const line = lines.find((one) => one.includes("sent no e-mail")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ provider: "corp", sent: ["contact", "groups"] });
    expect(line).not.toContain(ada);
  });

  test("takes it from the attribute that the operator named, and from no other", async () => {
    const strict = await openSamlHouse("contact");
    const signIn = async (name: string) =>
      (await strict.post(await strict.obtain(ada, sentIn(name)))).at;
    expect(await signIn("contact")).toBe(`${address}/account`);
    expect(await signIn("email")).toContain("error=no_email");
    await strict.roster.close();
  });

  test("the log can be read: what the library adds to a line stands there", async () => {
    await post(await obtain(ada, { changes: { InResponseTo: "_nobody" } }));
    expect(roster.log()).toContain('"providerId":"corp"');
    expect(roster.log()).not.toContain("[object Object]");
  });
});

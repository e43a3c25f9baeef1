/** Sign-in at a SAML identity provider: samlify's, with a key made here. The browser's part are two addresses and a form. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { IdentityProvider } from "../../../src/contract/identity-provider.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { type Browser, openBrowser, takeCookies } from "../sign-in/browser.ts";
import { openSamlProvider } from "./saml-provider.mjs";
import { newSigningKey } from "./self-signed.ts";

const address = "http://127.0.0.1:7171";
const entityId = "https://idp.example.com";
const ada = { email: "ada@example.com", group: "roster-pro" };

describe("single sign-on by SAML", () => {
  let roster: TestAppliance;
  const key = newSigningKey();
  const idp = openSamlProvider({ entityId, ...key });
  const house: IdentityProvider = {
    ...{ id: "corp", name: "Corporate login", domains: ["example.com"], plan: "free" },
    administrators: false,
    ...{ planClaim: "groups", plans: { "roster-pro": "pro" } },
    protocol: { kind: "saml", metadata: idp.metadata },
  };

  beforeAll(async () => {
    roster = await openTestAppliance({
      ...{ people: [], now: new Date().toISOString() },
      config: {
        publicUrl: address,
        signIn: { signUp: "invitation", assistantsRegister: true, providers: [house] },
      },
    });
  });
  afterAll(() => roster.close());

  const serviceMetadata = async () => {
    const path = "/sso/saml2/sp/metadata?providerId=corp";
    const response = await roster.handle(new Request(`${address}${path}`));
    expect(response.status).toBe(200);
    return response.text();
  };
  const post = (
    browser: Browser,
    form: { acs: string; SAMLResponse: string; RelayState: string },
  ) => {
    const { acs, ...fields } = form;
    // Another site's form: the browser sends no cookie along.
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: entityId };
    const body = new URLSearchParams(fields).toString();
    return roster.handle(new Request(acs, { method: "POST", headers, body })).then((response) => {
      takeCookies(browser.jar, response.headers.getSetCookie());
      return response;
    });
  };
  const start = async () => {
    const { location } = await roster.signIn.startProvider("corp", "/account");
    expect(location).toStartWith(`${entityId}/sso?SAMLRequest=`);
    return location;
  };

  test("makes an account at the first sign-in, on the plan of the person's group", async () => {
    const browser = openBrowser(roster);
    const form = await idp.answer(await start(), await serviceMetadata(), ada);
    expect(form.acs).toBe(`${address}/sso/saml2/sp/acs/corp`);
    const response = await post(browser, form);
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${address}/account`,
    ]);
    expect(await roster.signIn.visitor(browser.request())).toMatchObject({
      account: { email: "ada@example.com", plan: "pro" },
      hasPassword: false,
    });
  });

  const sha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
  test("an assertion signed with SHA-1 signs nobody in, and the log names the algorithm", async () => {
    const old = openSamlProvider({ entityId, ...key, algorithm: sha1 });
    const browser = openBrowser(roster);
    const response = await post(
      browser,
      await old.answer(await start(), await serviceMetadata(), ada),
    );
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${address}/sign-in?error=weak_signature`,
    ]);
    expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
    expect(roster.log()).toContain(`"algorithm":"${sha1}"`);
    const page = await roster.handle(browser.request("/sign-in?error=weak_signature"));
    expect(await page.text()).toContain("an algorithm that is not taken here");
  });

  const mailOid = "urn:oid:0.9.2342.19200300.100.1.3";
  const anonymous = { NameID: "G-7f3a9" };
  test.each([
    "mail",
    "emailAddress",
    mailOid,
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  ])("finds the e-mail in %s, whatever the NameID is", async (emailName) => {
    const other = openSamlProvider({ entityId, ...key, emailName });
    const browser = openBrowser(roster);
    const person = { email: "dan@example.com", group: "" };
    await post(
      browser,
      await other.answer(await start(), await serviceMetadata(), person, anonymous),
    );
    expect((await roster.signIn.visitor(browser.request()))?.account.email).toBe("dan@example.com");
  });

  test("says in the log what came where none of it is an e-mail, names and not values", async () => {
    const other = openSamlProvider({ entityId, ...key, emailName: "contact" });
    const browser = openBrowser(roster);
    const form = await other.answer(await start(), await serviceMetadata(), ada, anonymous);
    const response = await post(browser, form);
    expect(new URL(response.headers.get("location") ?? "").searchParams.get("error")).toBe(
      "no_email",
    );
    expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
    const line =
      roster
        .log()
        .split("\n")
        .find((one) => one.includes("sent no e-mail")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ provider: "corp", sent: ["contact", "groups"] });
    expect(line).not.toContain("ada@example.com");
  });

  test("takes it from the attribute that the operator named, and from no other", async () => {
    const protocol = { kind: "saml", metadata: idp.metadata, emailAttribute: "contact" } as const;
    const named = { ...house, protocol };
    const strict = await openTestAppliance({
      ...{ people: [], now: new Date().toISOString() },
      config: {
        publicUrl: address,
        signIn: { signUp: "invitation", assistantsRegister: true, providers: [named] },
      },
    });
    const signedInWith = async (emailName: string) => {
      const other = openSamlProvider({ entityId, ...key, emailName });
      const { location } = await strict.signIn.startProvider("corp", "/account");
      const { acs, ...fields } = await other.answer(
        location,
        await serviceMetadata(),
        ada,
        anonymous,
      );
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: entityId };
      const body = new URLSearchParams(fields).toString();
      const response = await strict.handle(new Request(acs, { method: "POST", headers, body }));
      return response.headers.get("location");
    };
    expect(await signedInWith("contact")).toBe(`${address}/account`);
    expect(await signedInWith("email")).toContain("error=no_email");
    await strict.close();
  });

  test("an assertion works once", async () => {
    const browser = openBrowser(roster);
    const form = await idp.answer(await start(), await serviceMetadata(), ada);
    await post(browser, form);
    const again = openBrowser(roster);
    const response = await post(again, form);
    expect(response.status).toBeLessThan(500);
    expect(await roster.signIn.visitor(again.request())).toBeUndefined();
  });

  const refused: Record<
    string,
    () => Promise<{ acs: string; SAMLResponse: string; RelayState: string }>
  > = {
    "of another signer": async () => {
      const other = openSamlProvider({ entityId, ...newSigningKey() });
      return other.answer(await start(), await serviceMetadata(), ada);
    },
    "that was changed after it was signed": async () => {
      const form = await idp.answer(await start(), await serviceMetadata(), ada);
      const xml = Buffer.from(form.SAMLResponse, "base64").toString();
      const changed = xml.replaceAll("ada@example.com", "eve@example.com");
      return { ...form, SAMLResponse: Buffer.from(changed).toString("base64") };
    },
    "for another audience": async () =>
      idp.answer(await start(), await serviceMetadata(), ada, {
        Audience: "https://other.example",
      }),
    "that answers a request nobody made": async () =>
      idp.answer(await start(), await serviceMetadata(), ada, { InResponseTo: "_nobody" }),
    "that has expired": async () => {
      const past = new Date(Date.now() - 3_600_000).toISOString();
      const changes = { ConditionsNotOnOrAfter: past, SubjectConfirmationDataNotOnOrAfter: past };
      return idp.answer(await start(), await serviceMetadata(), ada, changes);
    },
    "of a domain that the provider may not speak for": async () =>
      idp.answer(await start(), await serviceMetadata(), {
        ...{ email: "admin@elsewhere.example", group: "" },
      }),
    "that is no XML": async () => {
      await start();
      const SAMLResponse = Buffer.from("<not xml").toString("base64");
      return { acs: `${address}/sso/saml2/sp/acs/corp`, SAMLResponse, RelayState: "" };
    },
  };
  test("an e-mail that a comment cuts is the whole e-mail, as it was signed", async () => {
    const browser = openBrowser(roster);
    const whole = { email: "eve@example.com.other.example", group: "" };
    const form = await idp.answer(await start(), await serviceMetadata(), whole);
    const xml = Buffer.from(form.SAMLResponse, "base64").toString();
    const cut = xml.replaceAll("eve@example.com.", "eve@example.com<!---->.");
    await post(browser, { ...form, SAMLResponse: Buffer.from(cut).toString("base64") });
    expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
    expect(await roster.modules.accounts.find("eve@example.com")).toBeUndefined();
  });

  for (const [name, make] of Object.entries(refused)) {
    test(`an assertion ${name} signs nobody in`, async () => {
      const browser = openBrowser(roster);
      const response = await post(browser, await make());
      expect(response.status).toBeLessThan(500);
      expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
      expect(await roster.modules.accounts.find("eve@example.com")).toBeUndefined();
      expect(await roster.modules.accounts.find("admin@elsewhere.example")).toBeUndefined();
    });
  }

  test("the log can be read: what the library adds to a line stands there", async () => {
    expect(roster.log()).toContain('"providerId":"corp"');
    expect(roster.log()).not.toContain("[object Object]");
  });
});

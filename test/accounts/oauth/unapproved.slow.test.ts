/** What an attacker registers must not become a way from this host to theirs (RFC 9700, 4.11.2). */
import { afterAll, describe, expect, test } from "bun:test";
import { type Browser, openBrowser, openSignInAppliance, signedIn } from "../sign-in/browser.ts";
import {
  authorizationQuery,
  authorize,
  consented,
  newClient,
  pkce,
  redirectUri,
} from "./assistant.ts";

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "ada@example.com");
afterAll(() => roster.close());

describe("23 a client that nobody approved", () => {
  const evil = "https://evil.example/phish";
  const wrong: Record<string, Record<string, string | undefined>> = {
    "an unsupported response type": { response_type: "token" },
    "no response type": { response_type: undefined },
    "an unknown scope": { scope: "everything" },
    "no PKCE": { code_challenge: undefined, code_challenge_method: undefined },
    "plain PKCE": { code_challenge_method: "plain" },
    "another resource": { resource: "https://elsewhere.example/mcp" },
    "a request object": { request: "x" },
    "a request by reference": { request_uri: "https://evil.example/r" },
    "a nonsensical max_age": { max_age: "x" },
    "a nonsensical prompt": { prompt: "none", max_age: "-1" },
    "an answer by fragment": { response_type: "token", response_mode: "fragment" },
  };
  const registered = () =>
    newClient(roster, { client_name: "Phisher", redirect_uris: [evil, redirectUri] });
  const nobody = () => openBrowser(roster);
  const sent = async (browser: Browser, client: string, changes: object) => {
    const proof = pkce().challenge;
    const query = authorizationQuery(roster, client, proof, { redirect_uri: evil, ...changes });
    return authorize(roster, browser, query);
  };

  for (const [name, changes] of Object.entries(wrong)) {
    test(`with ${name} sends no browser away: a page of ours names where it would have gone`, async () => {
      const client = await registered();
      for (const browser of [nobody(), ada]) {
        const page = await sent(browser, client, changes);
        expect([page.origin, page.pathname]).toEqual([roster.config.publicUrl, "/oauth2/error"]);
        const shown = await roster.handle(browser.request(`${page.pathname}${page.search}`));
        const text = await shown.text();
        expect(shown.status).toBe(400);
        expect(text).toContain("<strong>evil.example</strong>");
      }
    });
  }

  test("is told its errors by whoever has allowed it, and by nobody else", async () => {
    const client = await registered();
    const cat = await signedIn(roster, "cat@example.com");
    await consented(roster, cat, client, pkce(), { redirect_uri: evil });
    const told = await sent(cat, client, { scope: "everything" });
    expect(told.href).toStartWith(`${evil}?error=invalid_scope`);
    expect((await sent(ada, client, { scope: "everything" })).pathname).toBe("/oauth2/error");
    expect((await sent(nobody(), client, { scope: "everything" })).pathname).toBe("/oauth2/error");
  });

  test("but one that the operator vouches for is told them always", async () => {
    const { clients } = roster.modules.accounts;
    const { clientId: known } = await clients.register({ name: "House app", redirectUris: [evil] });
    const told = await sent(nobody(), known, { scope: "everything" });
    expect(told.href).toStartWith(`${evil}?error=invalid_scope`);
    await clients.remove(known);
  });
});

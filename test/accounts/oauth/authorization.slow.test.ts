import { afterAll, describe, expect, test } from "bun:test";
import { openSignInAppliance, signedIn } from "../sign-in/browser.ts";
import {
  authorizationQuery,
  authorize,
  consented,
  newClient,
  pkce,
  redeem,
  redirectUri,
  resource,
  type Tokens,
} from "./assistant.ts";

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "ada@example.com");
const clientId = await newClient(roster, {
  redirect_uris: [redirectUri, "https://app.example.com/callback?x=1"],
});
afterAll(() => roster.close());

const asked = (changes: Record<string, string | undefined>, proof = pkce()) =>
  authorize(roster, ada, authorizationQuery(roster, clientId, proof.challenge, changes));

describe("23 the redirect is exact", () => {
  test.each([
    ...["http://127.0.0.1:43117/callback/", "http://127.0.0.1:43117/Callback"],
    ...["http://127.0.0.1:43117/callback?x=1", "http://127.0.0.1:43117/callback#x"],
    ...["http://127.0.0.1:43117/callback#", "http://127.0.0.1:43117/callback/../callback"],
    ...["http://127.0.0.1:43117//callback", "http://127.0.0.1:43117"],
    ...["http://127.0.0.2:43117/callback", "http://127.0.0.1.example.com:43117/callback"],
    ...["http://127.0.0.1@evil.example:43117/callback", "http://user@127.0.0.1:43117/callback"],
    ...["http://localhost:43117/callback", "http://[::1]:43117/callback"],
    ...["https://127.0.0.1:43117/callback", "https://app.example.com/callback"],
    ...["https://app.example.com/callback?x=2", "https://app.example.com:8443/callback?x=1"],
    ...["http://app.example.com/callback?x=1"],
    ...["https://app.example.com.evil.example/callback?x=1", "https://evil.example/callback"],
    ...["javascript:alert(1)", ""],
  ])("%p is not sent to", async (near) => {
    const { pathname, origin } = await asked({ redirect_uri: near });
    expect([origin, pathname]).toEqual([roster.config.publicUrl, "/oauth2/error"]);
  });

  test("a loopback redirect's port is free, since a program takes what it gets", async () => {
    const proof = pkce();
    const other = "http://127.0.0.1:5/callback";
    const callback = await consented(roster, ada, clientId, proof, { redirect_uri: other });
    expect(callback.href).toStartWith(`${other}?code=`);
    const wrong = await redeem(roster, clientId, callback, proof);
    expect(wrong.status).toBe(400);
  });

  test("an unknown client, or none, is not sent anywhere, and told what is wrong", async () => {
    const said = async (client: string | undefined) => {
      const { pathname, searchParams } = await asked({ client_id: client });
      expect(pathname).toBe("/oauth2/error");
      return searchParams.get("error_description");
    };
    expect(await said("unknown")).toStartWith(
      "no assistant is registered here with this client_id",
    );
    expect(await said(undefined)).toContain("client_id");
  });
});

describe("24 a code", () => {
  const coded = async () => {
    const proof = pkce();
    return { proof, callback: await consented(roster, ada, clientId, proof) };
  };

  test("works once; the second time it takes back what the first gave", async () => {
    const { proof, callback } = await coded();
    const first = await redeem(roster, clientId, callback, proof);
    expect(first.status).toBe(200);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const { access_token: token } = (await first.json()) as Tokens;
    expect(await roster.signIn.authenticateToken(token, resource(roster))).toBeDefined();
    const second = await redeem(roster, clientId, callback, proof);
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({ error: "invalid_grant" });
    expect(await roster.signIn.authenticateToken(token, resource(roster))).toBeUndefined();
  });

  test("redeemed twice at once gives tokens at most once", async () => {
    const { proof, callback } = await coded();
    const both = await Promise.all([1, 2, 3].map(() => redeem(roster, clientId, callback, proof)));
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test("ends after a minute", async () => {
    const { proof, callback } = await coded();
    roster.clock.advance(61);
    expect((await redeem(roster, clientId, callback, proof)).status).toBe(400);
  });

  test("is bound to its client, its redirect and its resource", async () => {
    const other = await newClient(roster);
    for (const change of [
      { client_id: other },
      { redirect_uri: "http://127.0.0.1:43117/other" },
      { resource: "http://127.0.0.1:7171/v1" },
    ]) {
      const { proof, callback } = await coded();
      const response = await redeem(roster, clientId, callback, proof, change);
      expect(response.status).toBe(400);
    }
  });
});

describe("25 PKCE", () => {
  const refusedAt = async (changes: Record<string, string | undefined>) => {
    const callback = await asked(changes);
    expect(callback.href).toStartWith(redirectUri);
    expect(callback.searchParams.get("state")).toBe("the-state");
    expect(callback.searchParams.get("iss")).toBe(roster.config.publicUrl);
    return callback.searchParams.get("error");
  };

  test("is asked for, and S256 only", async () => {
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    expect(await refusedAt(none)).toBe("invalid_request");
    expect(await refusedAt({ code_challenge_method: "plain" })).toBe("invalid_request");
    expect(await refusedAt({ code_challenge_method: undefined })).toBe("invalid_request");
    expect(await refusedAt({ code_challenge: undefined })).toBe("invalid_request");
  });

  test("another verifier, or none, gets nothing", async () => {
    for (const [verifier, error] of [
      [pkce().verifier, "invalid_grant"],
      ["", "invalid_request"],
    ] as const) {
      const proof = pkce();
      const callback = await consented(roster, ada, clientId, proof);
      const response = await redeem(roster, clientId, callback, { ...proof, verifier });
      expect([response.status, await response.json()]).toMatchObject([400, { error }]);
    }
  });
});

describe("28 consent", () => {
  test("is asked for each time of a client that registered by itself, whatever it says", async () => {
    await consented(roster, ada, clientId, pkce());
    for (const prompt of [undefined, "none", "consent", "", "create", "select_account", "x"]) {
      expect((await asked({ prompt })).pathname).toBe("/consent");
    }
  });

  test("a sign-in that was asked for is done once, and leads on to the consent", async () => {
    for (const changes of [{ prompt: "login" }, { max_age: "0" }, { prompt: "login consent" }]) {
      roster.clock.advance(5);
      const page = await asked(changes);
      expect(page.pathname).toBe("/sign-in");
      const onward = roster.signIn.continueAfterSignIn(page.search.slice(1)) ?? "";
      expect(onward).toStartWith("/oauth2/authorize?");
      const { searchParams } = new URL(onward, roster.config.publicUrl);
      expect((await authorize(roster, ada, searchParams.toString())).pathname).toBe("/consent");
    }
    expect(roster.signIn.continueAfterSignIn("next=/account")).toBeUndefined();
  });

  test("a page's query that was changed, grew old or never was ours shows and grants nothing", async () => {
    const page = await asked({});
    const changed = new URLSearchParams(page.search);
    changed.set("scope", "search");
    const spread = new URLSearchParams(page.search);
    spread.set("redirect_uri", "https://evil.example/");
    for (const query of [changed, spread, new URLSearchParams("client_id=x&sig=y")]) {
      const request = ada.request(`/consent?${query}`);
      expect(await roster.signIn.consentRequest(request)).toBeUndefined();
      const { location } = await roster.signIn.decide(request, query.toString(), true);
      expect(location).toStartWith("/oauth2/error");
    }
    expect(await roster.signIn.consentRequest(ada.request("/consent"))).toBeUndefined();
  });

  test("without a session nothing is decided", async () => {
    const page = await asked({});
    const { location } = await roster.signIn.decide(
      new Request(`${roster.config.publicUrl}/consent${page.search}`),
      page.search,
      true,
    );
    expect(location).toStartWith("/oauth2/error");
  });

  test("a client that the operator registered is asked about once, until it is disconnected or removed", async () => {
    const { clients } = roster.modules.accounts;
    const known = await clients.register({ name: "House editor", redirectUris: [redirectUri] });
    expect(await clients.list()).toEqual([known]);
    const query = () => authorizationQuery(roster, known.clientId, pkce().challenge);
    const first = await authorize(roster, ada, query());
    expect(first.pathname).toBe("/consent");
    const request = ada.request(`/consent${first.search}`);
    expect(await roster.signIn.consentRequest(request)).toMatchObject({
      clientName: "House editor",
      isVerified: true,
    });
    const proof = pkce();
    const callback = await consented(roster, ada, known.clientId, proof);
    const response = await redeem(roster, known.clientId, callback, proof);
    const { access_token: token } = (await response.json()) as Tokens;
    expect((await authorize(roster, ada, query())).href).toStartWith(`${redirectUri}?code=`);
    const id = (await roster.signIn.visitor(ada.request()))?.account.id ?? "";
    const [assistant] = (await roster.signIn.assistants(id)).slice(-1);
    await roster.signIn.disconnect(id, assistant?.id ?? "");
    expect((await authorize(roster, ada, query())).pathname).toBe("/consent");
    expect(await roster.signIn.authenticateToken(token, resource(roster))).toBeUndefined();
    await clients.remove(known.clientId);
    expect((await authorize(roster, ada, query())).pathname).toBe("/oauth2/error");
    await expect(clients.remove(known.clientId)).rejects.toThrow("no assistant has the client id");
  });
});

describe("what a client leaves out", () => {
  test("no resource is the one there is, no scope is every scope, and it may stay connected", async () => {
    const whole = await asked({ resource: undefined, scope: undefined });
    expect(whole.searchParams.get("resource")).toBe(resource(roster));
    expect(whole.searchParams.get("scope")).toBe("search profile offline_access");
    const narrow = await asked({ scope: "search" });
    expect(narrow.searchParams.get("scope")).toBe("search offline_access");
  });

  test("scopes of other servers are left out beside ours", async () => {
    const some = await asked({ scope: "openid search admin offline_access" });
    expect(some.searchParams.get("scope")).toBe("search offline_access");
  });

  test("nothing but unknown scopes, or an unknown resource, is told to the assistant", async () => {
    for (const [changes, error] of [
      [{ scope: "openid admin" }, "invalid_scope"],
      [{ resource: "https://other.example/mcp" }, "invalid_target"],
    ] as const) {
      expect((await asked(changes)).searchParams.get("error")).toBe(error);
    }
  });
});

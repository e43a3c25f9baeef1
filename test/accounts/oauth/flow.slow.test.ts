import { afterAll, describe, expect, test } from "bun:test";
import { openBrowser, openSignInAppliance, signedIn } from "../sign-in/browser.ts";
import {
  authorizationQuery,
  authorize,
  consented,
  newClient,
  pkce,
  redeem,
  refresh,
  resource,
  type Tokens,
} from "./assistant.ts";

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "ada@example.com");
afterAll(() => roster.close());

describe("an assistant", () => {
  test("goes from registration to a token that speaks for the account", async () => {
    const clientId = await newClient(roster);
    const proof = pkce();
    const stranger = openBrowser(roster);
    const query = authorizationQuery(roster, clientId, proof.challenge);
    const signIn = await authorize(roster, stranger, query);
    expect(signIn.pathname).toBe("/sign-in");
    const onward = roster.signIn.continueAfterSignIn(signIn.search) as string;
    const consent = await authorize(roster, ada, onward.slice(onward.indexOf("?") + 1));
    expect(consent.pathname).toBe("/consent");
    expect(await roster.signIn.consentRequest(ada.request(`/consent${consent.search}`))).toEqual({
      clientName: "Test Assistant",
      clientUri: undefined,
      destination: "127.0.0.1:43117",
      scopes: ["search", "profile", "offline_access"],
      isVerified: false,
    });
    const callback = await consented(roster, ada, clientId, proof);
    expect(callback.searchParams.get("iss")).toBe(roster.config.publicUrl);
    expect(callback.searchParams.get("state")).toBe("the-state");
    const response = await redeem(roster, clientId, callback, proof);
    const tokens = (await response.json()) as Tokens;
    expect(response.status).toBe(200);
    expect(
      await roster.signIn.authenticateToken(tokens.access_token, resource(roster)),
    ).toMatchObject({
      plan: "pro",
      credential: { kind: "grant" },
      scopes: ["search", "profile", "offline_access"],
    });
    expect((await refresh(roster, clientId, tokens.refresh_token)).status).toBe(200);
  });
});

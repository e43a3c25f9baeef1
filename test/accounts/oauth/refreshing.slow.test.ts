import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { symmetricDecrypt } from "better-auth/crypto";
import { createSignIn } from "../../../src/accounts/accounts.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { createOAuthRoutes } from "../../../src/interfaces/http/http.ts";
import type { Route } from "../../../src/network/route.ts";
import type { TestAppliance } from "../../appliance.ts";
import { isLong } from "../../long.ts";
import { type Browser, openSignInAppliance, signedIn } from "../sign-in/browser.ts";
import { connected, newClient, post, refresh, resource, type Tokens } from "./assistant.ts";

let roster: TestAppliance;
let ada: Browser;
beforeAll(async () => {
  roster = await openSignInAppliance();
  ada = await signedIn(roster, "ada@example.com");
});
afterAll(() => roster.close());

const who = (token: string, at = resource(roster)) => roster.signIn.authenticateToken(token, at);
const isAlive = async (token: string) => (await who(token)) !== undefined;
const refreshed = async (clientId: string, token: string | undefined) => {
  const response = await refresh(roster, clientId, token);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Tokens;
};

describe("26 refreshing", () => {
  test("rotates; an old refresh token kills the whole family", async () => {
    const { clientId, tokens } = await connected(roster, ada);
    const second = await refreshed(clientId, tokens.refresh_token);
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    const third = await refreshed(clientId, second.refresh_token);
    expect(await isAlive(third.access_token)).toBe(true);
    const replay = await refresh(roster, clientId, tokens.refresh_token);
    expect(replay.status).toBe(400);
    expect(await replay.json()).toMatchObject({ error: "invalid_grant" });
    expect((await refresh(roster, clientId, third.refresh_token)).status).toBe(400);
    for (const { access_token } of [tokens, second, third]) {
      expect(await isAlive(access_token)).toBe(false);
    }
  });

  test("gives a lost answer again for half a minute, also after a restart, and then no more", async () => {
    const roster = await openSignInAppliance({ folder: true });
    const bob = await signedIn(roster, "bob@example.com");
    const { clientId, tokens } = await connected(roster, bob);
    const lost = (await (await refresh(roster, clientId, tokens.refresh_token)).json()) as Tokens;
    const file = join(roster.config.data, "control.db");
    const options = {
      ...{ log: { warn: () => {}, error: () => {} }, publicUrl: () => roster.config.publicUrl },
      ...{ canRegister: true, providers: () => [] },
    };
    const signIn = createSignIn(openSqliteControlStore(file), {
      ...{ ...options, now: roster.clock.now, signUpMode: "closed" },
      ...{ registrationsPerHour: 20, privateRedirects: [] },
    });
    const route = createOAuthRoutes({ ...options, signIn }).find(
      ({ path }) => path === "/oauth2/token",
    ) as Route;
    const visit = { requestId: "req_restarted", address: bob.from.address };
    const restarted = {
      ...roster,
      handle: async (request: Request) => route.handle(request, visit, {}),
    };
    roster.clock.advance(29);
    const again = await refresh(restarted, clientId, tokens.refresh_token);
    expect(await again.json()).toEqual(lost);
    roster.clock.advance(2);
    expect((await refresh(roster, clientId, tokens.refresh_token)).status).toBe(400);
    expect((await refresh(roster, clientId, lost.refresh_token)).status).toBe(400);
    const database = new Database(file, { readonly: true });
    expect(database.query("SELECT action, detail FROM audit ORDER BY sequence DESC").get()).toEqual(
      {
        action: "grant.revoked",
        detail: JSON.stringify({ client: clientId, why: "a refresh token was used twice" }),
      },
    );
    database.close();
    await roster.close();
  });

  test("of many at once with one token all get the one successor", async () => {
    const { clientId, tokens } = await connected(roster, ada);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => refreshed(clientId, tokens.refresh_token)),
    );
    expect(new Set(all.map((one) => one.refresh_token)).size).toBe(1);
    const [next] = all as [Tokens];
    expect(await isAlive(next.access_token)).toBe(true);
    expect((await refresh(roster, clientId, next.refresh_token)).status).toBe(200);
  });

  test("keeps the answer sealed: neither it nor what opens it is in the file, and soon it is gone", async () => {
    const onDisk = await openSignInAppliance({ folder: true });
    const bob = await signedIn(onDisk, "bob@example.com");
    const { clientId, tokens } = await connected(onDisk, bob);
    await refresh(onDisk, clientId, tokens.refresh_token);
    const database = new Database(join(onDisk.config.data, "control.db"), { readonly: true });
    const kept = () =>
      database
        .query<{ token: string; sealed: string | null }, []>(
          "SELECT token, rotation_replay_response AS sealed FROM oauth_refresh_token WHERE revoked_ms IS NOT NULL",
        )
        .get();
    const { token, sealed } = kept() as { token: string; sealed: string };
    const secret = database
      .query<{ key: string }, []>("SELECT sign_in_secret AS key FROM instance")
      .get()?.key as string;
    expect(sealed).toMatch(/^[0-9a-f]{200,}$/);
    for (const key of [token, secret, tokens.refresh_token as string]) {
      await expect(symmetricDecrypt({ key, data: sealed })).rejects.toThrow();
    }
    onDisk.clock.advance(3601);
    await newClient(onDisk, { client_name: "Another" });
    expect(kept()?.sealed).toBeNull();
    database.close();
    await onDisk.close();
  });

  test("gives nothing again of what was taken back meanwhile, and nothing to another client", async () => {
    const takenBack: Record<string, (browser: Browser, clientId: string, next: Tokens) => unknown> =
      {
        disconnected: async (browser) => {
          const id = (await roster.signIn.visitor(browser.request()))?.account.id ?? "";
          const [assistant] = await roster.signIn.assistants(id);
          await roster.signIn.disconnect(id, assistant?.id ?? "");
        },
        disabled: async () => {
          await roster.modules.accounts.setDisabled("disabled@example.com", true);
          await roster.modules.accounts.setDisabled("disabled@example.com", false);
        },
        revoked: (_, clientId, next) =>
          post(roster, "/oauth2/revoke", { client_id: clientId, token: next.refresh_token ?? "" }),
      };
    for (const [name, take] of Object.entries(takenBack)) {
      const browser = await signedIn(roster, `${name}@example.com`);
      const { clientId, tokens } = await connected(roster, browser);
      const next = await refreshed(clientId, tokens.refresh_token);
      expect(await refreshed(clientId, tokens.refresh_token)).toEqual(next);
      await take(browser, clientId, next);
      expect((await refresh(roster, clientId, tokens.refresh_token)).status).toBe(400);
      expect(await isAlive(next.access_token)).toBe(false);
    }
    const { tokens, clientId } = await connected(roster, ada);
    const next = await refreshed(clientId, tokens.refresh_token);
    const other = await newClient(roster, { client_name: "Another" });
    expect((await refresh(roster, other, tokens.refresh_token)).status).toBe(400);
    expect(await isAlive(next.access_token)).toBe(true);
  });

  test("is one family to a grant: reuse, or revocation, in one leaves the others of the same client", async () => {
    const [one, other] = [await connected(roster, ada), await connected(roster, ada)];
    expect(one.clientId).toBe(other.clientId);
    await refreshed(one.clientId, one.tokens.refresh_token);
    roster.clock.advance(31);
    expect((await refresh(roster, one.clientId, one.tokens.refresh_token)).status).toBe(400);
    expect(await isAlive(one.tokens.access_token)).toBe(false);
    expect(await isAlive(other.tokens.access_token)).toBe(true);
    const third = await connected(roster, ada);
    const form = { client_id: third.clientId, token: third.tokens.refresh_token ?? "" };
    await post(roster, "/oauth2/revoke", form);
    await post(roster, "/oauth2/revoke", form);
    expect((await refresh(roster, other.clientId, other.tokens.refresh_token)).status).toBe(200);
  });

  test("ends after thirty days without use, and after ninety with it", async () => {
    const day = 24 * 3600;
    const idle = await connected(roster, ada);
    const busy = await connected(roster, ada);
    let { refresh_token: token } = busy.tokens;
    const step = isLong ? 1 : 8;
    const last = isLong ? 89 : 88;
    for (let spent = step; spent <= last; spent += step) {
      roster.clock.advance(step * day);
      ({ refresh_token: token } = await refreshed(busy.clientId, token));
      if (spent > 30 && spent - step <= 30) {
        expect((await refresh(roster, idle.clientId, idle.tokens.refresh_token)).status).toBe(400);
      }
    }
    roster.clock.advance((90 - last) * day + 60);
    expect((await refresh(roster, busy.clientId, token)).status).toBe(400);
    ada = await signedIn(roster, "later@example.com");
  });

  test("of a client that is not known here says so, in the words by which clients register anew", async () => {
    const { tokens } = await connected(roster, ada);
    const response = await refresh(roster, "assistant_unknown", tokens.refresh_token);
    expect([response.status, await response.json()]).toEqual([
      401,
      {
        error: "invalid_client",
        error_description: "no client is registered here with this client_id; register again",
      },
    ]);
  });

  test("takes each field once: what is read here is what the library reads", async () => {
    const { clientId, tokens } = await connected(roster, ada);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = `grant_type=refresh_token&client_id=${clientId}&refresh_token=rst_rt_x&refresh_token=${tokens.refresh_token}`;
    const url = `${roster.config.publicUrl}/oauth2/token`;
    const response = await roster.handle(new Request(url, { method: "POST", headers, body }));
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: "refresh_token must be given once" },
    ]);
  });

  test("asks for less, never for more", async () => {
    const { clientId, tokens } = await connected(roster, ada);
    const form = { grant_type: "refresh_token", client_id: clientId };
    const more = { ...form, refresh_token: tokens.refresh_token ?? "", scope: "search admin" };
    const response = await post(roster, "/oauth2/token", more);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      400,
      "invalid_scope",
    ]);
  });
});

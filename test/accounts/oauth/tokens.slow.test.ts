import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSignInAppliance, signedIn } from "../sign-in/browser.ts";
import { connected, post, refresh, resource, type Tokens } from "./assistant.ts";

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "ada@example.com");
afterAll(() => roster.close());

const who = (token: string, at = resource(roster)) => roster.signIn.authenticateToken(token, at);
const isAlive = async (token: string) => (await who(token)) !== undefined;
const accountId = async () => (await roster.signIn.visitor(ada.request()))?.account.id ?? "";

describe("27 a token's audience", () => {
  test("is the MCP endpoint: at another address, or as another text, it is nobody's", async () => {
    const { tokens } = await connected(roster, ada);
    expect(await isAlive(tokens.access_token)).toBe(true);
    const { publicUrl } = roster.config;
    for (const other of [
      publicUrl,
      `${publicUrl}/v1`,
      `${publicUrl}/mcp/`,
      "https://other.example/mcp",
    ]) {
      expect(await who(tokens.access_token, other)).toBeUndefined();
    }
    const bare = tokens.access_token.slice(7);
    for (const text of [
      "",
      bare,
      `${tokens.access_token}x`,
      tokens.refresh_token ?? "",
      "rst_at_",
      "\0",
    ]) {
      expect(await who(text)).toBeUndefined();
    }
  });

  test("is not the API: no token opens /v1", async () => {
    const { tokens } = await connected(roster, ada);
    for (const headers of [
      { authorization: `Bearer ${tokens.access_token}` },
      { "x-api-key": tokens.access_token },
    ] as Record<string, string>[]) {
      const request = new Request(`${roster.config.publicUrl}/v1/users/x`, { headers });
      expect((await roster.handle(request)).status).toBe(401);
    }
  });

  test("ends after an hour", async () => {
    const { tokens } = await connected(roster, ada);
    expect(tokens.expires_in).toBe(3600);
    roster.clock.advance(3599);
    expect(await isAlive(tokens.access_token)).toBe(true);
    roster.clock.advance(2);
    expect(await isAlive(tokens.access_token)).toBe(false);
  });
});

describe("28 what was granted can be taken back, at once", () => {
  test("also while a token is being made: one without its consent comes to nothing", async () => {
    const onDisk = await openSignInAppliance({ folder: true });
    const bob = await signedIn(onDisk, "bob@example.com");
    const { clientId, tokens } = await connected(onDisk, bob);
    const database = new Database(join(onDisk.config.data, "control.db"));
    // The state after the library has checked the old token and before it writes the new one.
    database.run("DELETE FROM oauth_consent");
    const response = await refresh(onDisk, clientId, tokens.refresh_token);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_grant", error_description: "the user has withdrawn the consent" },
    ]);
    const count = "SELECT count(*) AS n FROM oauth_refresh_token WHERE revoked_ms IS NULL";
    expect(database.query(count).get()).toEqual({ n: 0 });
    database.close();
    await onDisk.close();
  });

  test("8 not by somebody else", async () => {
    const eve = await signedIn(roster, "eve28@example.com");
    const { tokens } = await connected(roster, ada);
    const [mine] = (await roster.signIn.assistants(await accountId())).slice(-1);
    const other = (await roster.signIn.visitor(eve.request()))?.account.id ?? "";
    await roster.signIn.disconnect(other, mine?.id ?? "");
    expect(await isAlive(tokens.access_token)).toBe(true);
    expect(await roster.signIn.assistants(other)).toEqual([]);
  });

  test.each(["access_token", "refresh_token"] as const)(
    "by revoking the %s (RFC 7009)",
    async (kind) => {
      const { clientId, tokens } = await connected(roster, ada);
      const form = { client_id: clientId, token: tokens[kind] ?? "" };
      const response = await post(roster, "/oauth2/revoke", form);
      expect(response.status).toBe(200);
      expect(await isAlive(tokens.access_token)).toBe(false);
      const again = await refresh(roster, clientId, tokens.refresh_token);
      expect(again.ok).toBe(kind === "access_token");
      expect((await post(roster, "/oauth2/revoke", { ...form, token: "unknown" })).status).toBe(
        200,
      );
    },
  );

  test("13 by disabling the account: tokens are dead and stay dead", async () => {
    const bob = await signedIn(roster, "bob@example.com");
    const { clientId, tokens } = await connected(roster, bob);
    await roster.modules.accounts.setDisabled("bob@example.com", true);
    expect(await isAlive(tokens.access_token)).toBe(false);
    expect((await refresh(roster, clientId, tokens.refresh_token)).status).toBe(400);
    await roster.modules.accounts.setDisabled("bob@example.com", false);
    expect(await isAlive(tokens.access_token)).toBe(false);
    expect((await refresh(roster, clientId, tokens.refresh_token)).status).toBe(400);
  });

  test("but signing out of the browser leaves assistants connected: they were asked for by themselves", async () => {
    const bea = await signedIn(roster, "bea@example.com");
    const { clientId, tokens } = await connected(roster, bea);
    await roster.signIn.signOut(bea.request());
    expect(await isAlive(tokens.access_token)).toBe(true);
    expect((await refresh(roster, clientId, tokens.refresh_token)).status).toBe(200);
  });
});

describe("the charge", () => {
  const charge = async (token: string) => {
    const identity = await who(token);
    if (!identity) throw new Error("not a token");
    return { ...identity, requestId: "req_test" };
  };

  test("counts a grant's calls on its account, and remembers when it was last used", async () => {
    const carl = await signedIn(roster, "carl@example.com");
    const { tokens } = await connected(roster, carl);
    const caller = await charge(tokens.access_token);
    expect((await roster.modules.quota.charge(caller)).quota.used).toBe(1);
    expect((await roster.modules.quota.charge(caller)).quota.used).toBe(2);
    const [assistant] = await roster.signIn.assistants(caller.accountId);
    const minute = Math.floor(roster.clock.now().getTime() / 60_000) * 60_000;
    expect(assistant?.lastUsedAt).toEqual(new Date(minute));
  });

  test("4 answers no call of a grant that was taken back before the answer left", async () => {
    const finn = await signedIn(roster, "finn@example.com");
    for (;;) {
      const { tokens } = await connected(roster, finn);
      const caller = await charge(tokens.access_token);
      const [assistant] = await roster.signIn.assistants(caller.accountId);
      const startedAt = performance.now();
      const calls = Array.from({ length: 64 }, () =>
        roster.modules.quota.charge(caller).then(
          () => "counted",
          (problem) => problem.code,
        ),
      );
      const disconnected = roster.signIn.disconnect(caller.accountId, assistant?.id ?? "");
      const tookMs = performance.now() - startedAt;
      await disconnected;
      const outcomes = new Set(await Promise.all(calls));
      // A call waits for others at most 5 ms. If the machine paused longer, some calls were rightly counted before.
      if (tookMs >= 5 && outcomes.has("counted")) continue;
      expect(outcomes).toEqual(new Set(["unauthorized"]));
      return;
    }
  });

  test("refuses, uncounted, a grant that died after it was looked at", async () => {
    const dora = await signedIn(roster, "dora@example.com");
    const ended = async (
      end: (id: string, clientId: string, tokens: Tokens) => Promise<unknown>,
    ) => {
      const { clientId, tokens } = await connected(roster, dora);
      const caller = await charge(tokens.access_token);
      await end(caller.accountId, clientId, tokens);
      return roster.modules.quota.charge(caller).then(
        () => "counted",
        (problem) => problem.code,
      );
    };
    const disconnect = async (id: string) => {
      const [assistant] = (await roster.signIn.assistants(id)).slice(-1);
      await roster.signIn.disconnect(id, assistant?.id ?? "");
    };
    expect(await ended(disconnect)).toBe("unauthorized");
    expect(
      await ended((_, clientId, tokens) =>
        post(roster, "/oauth2/revoke", { client_id: clientId, token: tokens.access_token }),
      ),
    ).toBe("unauthorized");
    expect(await ended(async () => roster.clock.advance(3601))).toBe("unauthorized");
    expect(
      await ended(async () => roster.modules.accounts.setDisabled("dora@example.com", true)),
    ).toBe("unauthorized");
    const accountId = (await roster.modules.accounts.find("dora@example.com"))?.id as string;
    expect((await roster.modules.quota.usage({ accountId })).quota.used).toBe(0);
  });
});

test("what can never be of use again is removed, by the hour, also where nobody registers", async () => {
  const onDisk = await openSignInAppliance({ folder: true });
  const bob = await signedIn(onDisk, "bob@example.com");
  const { clientId, tokens } = await connected(onDisk, bob);
  const database = new Database(join(onDisk.config.data, "control.db"), { readonly: true });
  const rows = () =>
    ["session", "oauth_access_token", "verification"].map(
      (table) => database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
    );
  let token = tokens.refresh_token;
  for (let day = 0; day < 20; day++) {
    onDisk.clock.advance(24 * 3600);
    const response = await refresh(onDisk, clientId, token);
    token = ((await response.json()) as Tokens).refresh_token;
  }
  expect(rows()).toEqual([0, 1, 0]);
  database.close();
  await onDisk.close();
});

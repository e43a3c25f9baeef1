import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { connected, consented, newClient, pkce } from "../oauth/assistant.ts";
import { goodPassword, openSignInAppliance, signedIn } from "./browser.ts";

const newFolder = temporaryFolders();

describe("2 only digests are stored", () => {
  test("no key, token, link, code or password is in any file of the folder or in the log", async () => {
    const folder = newFolder();
    const roster = await openSignInAppliance({ folder });
    const browser = await signedIn(roster, "ada@example.com");
    const { token } = await roster.modules.accounts.makeLink("ada@example.com", "reset");
    const key = await roster.modules.accounts.regenerateKey("ada@example.com");
    const { tokens } = await connected(roster, browser);
    const code = await consented(roster, browser, await newClient(roster), pkce());
    const cookie = decodeURIComponent(browser.jar.get("roster.session_token") ?? "");
    const [session = "", signature = ""] = cookie.split(".");
    const secrets = {
      ...{ key: key.slice(8, -4), session, signature, link: token, password: goodPassword },
      access: tokens.access_token.slice(7),
      refresh: tokens.refresh_token?.slice(7) ?? "",
      code: code.searchParams.get("code") ?? "",
    };
    for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(19);
    const files = readdirSync(folder);
    expect(files).toContain("control.db-wal");
    const found: string[] = [];
    for (const file of files) {
      const bytes = readFileSync(join(folder, file));
      for (const [name, secret] of Object.entries(secrets)) {
        if (bytes.includes(secret)) found.push(`${name} in ${file}`);
      }
    }
    for (const [name, secret] of Object.entries(secrets)) {
      if (roster.log().includes(secret)) found.push(`${name} in the log`);
    }
    expect(found).toEqual([]);
    await roster.close();
  });
});

describe("1 secrets are random enough", () => {
  test("links carry 256 bits, alike over their alphabet", async () => {
    const control = openSqliteControlStore(":memory:");
    const { openAccounts } = await import("../../../src/accounts/accounts.ts");
    const accounts = await openAccounts(control, { now: () => new Date() });
    await accounts.createWithoutKey({ email: "a@b.c", plan: "free" });
    const tokens: string[] = [];
    while (tokens.length < 500) tokens.push((await accounts.makeLink("a@b.c", "reset")).token);
    expect(new Set(tokens).size).toBe(500);
    for (const token of tokens) expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(new Set(tokens.join("")).size).toBe(62);
  });

  test("session, access and refresh tokens carry at least 128 bits, and the signing secret 256", async () => {
    const roster = await openSignInAppliance();
    const browser = await signedIn(roster, "ada@example.com");
    const { tokens } = await connected(roster, browser);
    // 32 letters of 52 are 182 bits.
    expect(tokens.access_token).toMatch(/^rst_at_[A-Za-z]{32}$/);
    expect(tokens.refresh_token).toMatch(/^rst_rt_[A-Za-z]{32}$/);
    expect(browser.jar.get("roster.session_token")).toMatch(/^[0-9A-Za-z]{32}\./);
    const control = openSqliteControlStore(":memory:");
    const secret = await control.signIn.secret();
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(await control.signIn.secret()).toBe(secret);
    expect(await openSqliteControlStore(":memory:").signIn.secret()).not.toBe(secret);
    await roster.close();
  });
});

describe("the audit log", () => {
  test("tells who came in, was refused, went, and what was made and used, without a secret", async () => {
    const folder = newFolder();
    const roster = await openSignInAppliance({ folder });
    const browser = await signedIn(roster, "ada@example.com");
    await roster.signIn.signIn({ email: "ada@example.com", password: "wrong one" }, browser.from);
    const { tokens, clientId } = await connected(roster, browser);
    const visitor = await roster.signIn.visitor(browser.request());
    const id = visitor?.account.id ?? "";
    const [assistant] = await roster.signIn.assistants(id);
    await roster.signIn.disconnect(id, assistant?.id ?? "");
    await roster.signIn.signOut(browser.request());
    const control = openSqliteControlStore(join(folder, "control.db"));
    const entries = (await control.auditEntries(100)).filter(({ subject }) => subject === id);
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      ...["account.created", "link.made", "link.used", "session.opened", "sign-in.refused"],
      ...["grant.made", "grant.revoked", "session.ended"],
    ]);
    const made = entries.find(({ action }) => action === "grant.made");
    expect(made?.detail).toMatchObject({ client: clientId });
    expect(JSON.stringify(entries)).not.toContain(tokens.access_token.slice(7));
    expect(await control.brokenAuditEntry()).toBeUndefined();
    await control.close();
    await roster.close();
  });
});

import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
await run("account", "create", "known@example.com", "--plan", "pro");
afterAll(() => line.close());

describe("account invite", () => {
  test("makes the account and prints one link, for people and with --json", async () => {
    const args = ["account", "invite", "ada@example.com", "--plan", "free", ...data];
    const { code, out, err } = await line.run(...args);
    expect(code).toBe(0);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:7171\/invitation\?token=[0-9A-Za-z]{43}\n$/);
    expect(err).toContain(
      "The link for ada@example.com works once, until 2026-11-28T12:00:00.000Z.",
    );
    expect(await json("account", "show", "ada@example.com")).toMatchObject({ plan: "free" });
    const again = await line.json(...args, "--public-url", "https://roster.example.com");
    expect(again).toEqual({
      email: "ada@example.com",
      link: expect.stringMatching(/^https:\/\/roster\.example\.com\/invitation\?token=/),
      expiresAt: "2026-11-28T12:00:00.000Z",
    });
  });

  test("lets an account that has a key in by browser, and keeps its plan", async () => {
    expect((await run("account", "invite", "known@example.com")).code).toBe(0);
    const other = await run("account", "invite", "known@example.com", "--plan", "free");
    expect(other.code).toBe(2);
    expect(other.err).toContain("is on the pro plan");
  });

  test("makes a new account an administrator's, and no known one", async () => {
    const admin = ["--plan", "enterprise", "--administrator", ...data];
    expect((await line.run("account", "invite", "eve@example.com", ...admin)).code).toBe(0);
    expect((await line.run("account", "create", "mia@example.com", ...admin)).code).toBe(0);
    for (const email of ["eve@example.com", "mia@example.com"]) {
      expect(await json("account", "show", email)).toMatchObject({ administrator: true });
    }
    const known = await run("account", "invite", "known@example.com", "--administrator");
    expect([known.code, known.err.includes("only for a new account")]).toEqual([2, true]);
  });

  test("asks for the plan of a new account, and for an e-mail that is one", async () => {
    const unplanned = await run("account", "invite", "new@example.com");
    expect([unplanned.code, unplanned.err.includes("--plan")]).toEqual([2, true]);
    const wrong = await run("account", "invite", "no e-mail", "--plan", "pro");
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
  });
});

describe("account reset", () => {
  test("prints a link that ends after a day; an unknown account is exit code 4", async () => {
    const made = await json("account", "reset", "known@example.com");
    expect(made).toMatchObject({
      link: expect.stringContaining("/reset-password?token="),
      expiresAt: "2026-11-22T12:00:00.000Z",
    });
    expect((await run("account", "reset", "nobody@example.com")).code).toBe(4);
  });
});

describe("the address of a link", () => {
  test("is that of the server on the folder, whatever its flags were; without one, that of the settings", async () => {
    const served = openCommandLine();
    const stop = new AbortController();
    const at = ["--data", served.folder];
    const made = served.runUntil(stop.signal, "serve", "--port", "0", "--no-demo", ...at);
    const note = join(served.folder, "server.pid");
    const read = () => (existsSync(note) ? readFileSync(note, "utf8").split("\n")[1] : "");
    while (!read()) await Bun.sleep(10);
    const link = async (...flags: string[]) =>
      (await served.run("account", "reset", "admin@localhost", ...at, ...flags)).out;
    // It listens before its first account is made.
    while ((await link()) === "") await Bun.sleep(10);
    expect(await link()).toStartWith(`${read()}/reset-password?token=`);
    expect(await link("--public-url", "https://roster.example")).toStartWith(
      "https://roster.example/reset-password",
    );
    stop.abort();
    const [, address] = /^address +(\S+)$/m.exec((await made).out) ?? [];
    expect(await link()).toStartWith("http://127.0.0.1:7171/reset-password");
    // What a server that was killed left behind is not believed.
    writeFileSync(note, `${process.pid}\n${address}\n`);
    expect(await link()).toStartWith("http://127.0.0.1:7171/reset-password");
    served.close();
  });
});

describe("assistant", () => {
  test("is registered, listed and removed", async () => {
    const redirect = ["--redirect", "http://127.0.0.1/callback", "https://editor.example/back"];
    const client = await json("assistant", "register", "Editor", ...redirect);
    expect(client).toEqual({
      clientId: expect.stringMatching(/^assistant_[0-9A-Za-z]{16}$/),
      name: "Editor",
      redirectUris: ["http://127.0.0.1/callback", "https://editor.example/back"],
    });
    expect(await json("assistant", "list")).toEqual([client]);
    const { clientId } = client as { clientId: string };
    expect((await run("assistant", "remove", clientId)).code).toBe(0);
    expect((await run("assistant", "remove", clientId)).code).toBe(4);
    expect(await json("assistant", "list")).toEqual([]);
  });

  test("takes people back to loopback or https only", async () => {
    const redirect = ["--redirect", "http://evil.example/"];
    const wrong = await run("assistant", "register", "Editor", ...redirect);
    expect([wrong.code, wrong.err.includes("must be https, or http on 127.0.0.1")]).toEqual([
      2,
      true,
    ]);
  });
});

describe("serve", () => {
  test("prints the set-up link at the first start, and at no other", async () => {
    const first = openCommandLine();
    const args = ["serve", "--port", "0", "--no-demo", "--data", first.folder];
    const stopped = AbortSignal.abort();
    const begun = await first.runUntil(stopped, ...args);
    expect(begun.out).toMatch(
      /sign in\s+http:\/\/127\.0\.0\.1:\d+\/set-up\?token=[0-9A-Za-z]{43} /,
    );
    const again = await first.runUntil(stopped, ...args);
    expect(again.out).not.toContain("set-up");
    first.close();
  });

  test("prints links and the assistants' address as people reach it", async () => {
    const behind = openCommandLine();
    const args = ["serve", "--port", "0", "--no-demo", "--data", behind.folder];
    const { out } = await behind.runUntil(
      AbortSignal.abort(),
      ...[...args, "--public-url", "https://roster.example.com/"],
    );
    expect(out).toContain("https://roster.example.com/set-up?token=");
    expect(out).toContain("https://roster.example.com/mcp");
    behind.close();
  });
});

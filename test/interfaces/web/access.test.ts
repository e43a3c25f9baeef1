/** Who may do what: the route table walked as nobody, as a user, as an administrator; and whose form counts. */
import { afterAll, describe, expect, test } from "bun:test";
import { createCalls } from "../../../src/interfaces/web/calls.ts";
import {
  answerPage,
  createNotices,
  type WebContext,
} from "../../../src/interfaces/web/dispatch.ts";
import { createForms } from "../../../src/interfaces/web/form-tokens.ts";
import { keepValues } from "../../../src/interfaces/web/kept-values.ts";
import { definePublicPage, type WebModules } from "../../../src/interfaces/web/page.ts";
import { pages } from "../../../src/interfaces/web/pages.ts";
import { createReturnPathCheck } from "../../../src/interfaces/web/return-path.ts";
import { openTestAppliance } from "../../appliance.ts";
import {
  expectAnswer,
  form,
  goodPassword,
  invited,
  openPerson,
  readable,
  tokenIn,
} from "./person.ts";

const roster = await openTestAppliance({ people: [] });
const nobody = openPerson(roster);
const user = await invited(roster, "user@example.com");
const admin = await invited(roster, "boss@example.com", { administrator: true });
const userId = (await roster.modules.accounts.find("user@example.com"))?.id as string;
afterAll(() => roster.close());

const pathOf = (template: string) => template.replace(":id", userId);
const state = async () =>
  JSON.stringify(
    (await roster.modules.accounts.list()).map(({ keyLastUsedAt: _, ...rest }) => rest),
  );

describe("the route table", () => {
  for (const { path, audience, actions } of pages) {
    test(`GET ${path} is for ${audience}`, async () => {
      const [none, one, boss] = await Promise.all(
        [nobody, user, admin].map((person) => person.ask(pathOf(path))),
      );
      const isSignIn = none?.headers.get("location")?.startsWith("/sign-in?next=") ?? false;
      expect(isSignIn).toBe(audience !== "anyone");
      expect(one?.status === 403).toBe(audience === "administrator");
      expect(boss?.status).not.toBe(403);
    });

    for (const act of Object.keys(actions ?? {})) {
      test(`POST ${path} ${act}: nobody without a place here changes anything`, async () => {
        const before = await state();
        const fields = { act, email: "x@example.com", plan: "enterprise", password: goodPassword };
        for (const person of audience === "administrator" ? [nobody, user] : [nobody]) {
          if (audience === "anyone") continue;
          const token = await person.tokenOn(person === user ? "/account/api" : "/sign-in");
          const { status } = await person.ask(pathOf(path), form({ token, ...fields }));
          expect(status).toBe(person === user ? 403 : 303);
        }
        expect(await state()).toBe(before);
      });

      test(`POST ${path} ${act}: 403 without a token, from another site, or with another's token`, async () => {
        const before = await state();
        const right = { act, token: await admin.tokenOn("/account/api") };
        const foreign = await user.tokenOn("/account/api");
        const asked = [
          form({ act }),
          form({ ...right, token: foreign }),
          { ...form(right), headers: { ...form(right).headers, origin: "https://evil.example" } },
          { ...form(right), headers: { ...form(right).headers, "sec-fetch-site": "cross-site" } },
        ];
        for (const init of asked) expect((await admin.ask(pathOf(path), init)).status).toBe(403);
        expect(await state()).toBe(before);
      });

      test(`POST ${path} ${act}: 400 naming a field that somebody added`, async () => {
        const before = await state();
        for (const field of ["role", "administrator", "accountId", "callsPerYear", "keyHint"]) {
          const token = await admin.tokenOn("/account/api");
          const page = await admin.ask(pathOf(path), form({ token, act, [field]: "enterprise" }));
          expectAnswer(page, 400, `nknown field "${field}"`);
        }
        expect(await state()).toBe(before);
      });
    }

    test(`GET ${path} changes nothing`, async () => {
      const before = await state();
      const fields = new URLSearchParams({
        act: Object.keys(actions ?? {})[0] ?? "",
        plan: "free",
      });
      await admin.ask(`${pathOf(path)}?${fields}`);
      expect(await state()).toBe(before);
    });
  }

  test("405 for a page that has no form, 400 for a form that no page has", async () => {
    const token = await admin.tokenOn("/account/api");
    expect((await admin.ask("/account", form({ token, act: "x" }))).status).toBe(405);
    for (const act of ["", "nothing", "constructor", "__proto__"]) {
      expect((await admin.ask("/account/api", form({ token, act }))).status).toBe(400);
    }
  });
});

describe("headers of every page", () => {
  test("a strict policy, no-store, nosniff, referrers to nobody else", async () => {
    for (const { path } of pages) {
      const { headers, text } = await admin.ask(pathOf(path));
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
          "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-request-id")).toStartWith("req_");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
    }
  });

  test("a page is compressed when Roster or the user opened it, not for another site", async () => {
    const coding = async (site: string, path = "/account") => {
      const headers = { "accept-encoding": "gzip", "sec-fetch-site": site };
      return (await admin.ask(path, { headers })).headers.get("content-encoding");
    };
    expect([await coding("same-origin"), await coding("none")]).toEqual(["gzip", "gzip"]);
    expect([await coding("cross-site"), await coding("same-site"), await coding("")]).toEqual([
      ...[null, null, null],
    ]);
  });

  test("the files that pages name are there, for ever cacheable", async () => {
    const { text } = await admin.ask("/admin/accounts");
    const named = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(named.length).toBe(5);
    for (const path of named) {
      const { status, headers } = await nobody.ask(path as string);
      expect([status, headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
  });

  test("404 as a page for browsers, as the envelope for programs", async () => {
    const accept = "text/html,application/xhtml+xml";
    const page = await nobody.ask("/no/such/page", { headers: { accept } });
    expect([page.status, page.headers.get("content-type")]).toEqual([
      404,
      "text/html; charset=utf-8",
    ]);
    expect(readable(page.text)).toContain(`Request id: ${page.headers.get("x-request-id")}`);
    for (const [path, headers] of [
      ["/no/such/page", {}],
      ["/v1/nothing", { accept }],
    ] as const) {
      const { status, text } = await nobody.ask(path, { headers });
      expect([status, JSON.parse(text).error.code]).toEqual([404, "not_found"]);
    }
  });
});

describe("after signing in", () => {
  test("the page that was asked for is shown, and no other site's", async () => {
    for (const [next, at] of [
      ["/account/security", "/account/security"],
      ["/find?text=ada%20e", "/find?text=ada%20e"],
      ["/who?path=src%2Fmain.ts", "/who?path=src%2Fmain.ts"],
      ["/saved", "/saved"],
      ["//evil.example", "/"],
      ["/who/../sign-out", "/"],
      ["/who/people.csv/..//evil.example", "/"],
      ["/sign-out", "/"],
      ["/developersx", "/"],
      ["https://evil.example/account", "/"],
      ["/\\evil.example", "/"],
      ["/account/../../oauth2/authorize", "/"],
      ["/account/%2e%2e/oauth2/authorize", "/"],
      ["/oauth2/authorize", "/"],
    ] as const) {
      const person = openPerson(roster);
      const page = await person.send(`/sign-in?${new URLSearchParams({ next })}`, "sign-in", {
        email: "user@example.com",
        password: goodPassword,
      });
      expect([next, page.at]).toEqual([next, at]);
    }
  });

  test("every page that asks for it is a way back, as the list of pages has it", () => {
    const isReturnPath = createReturnPathCheck(pages);
    for (const { path, audience } of pages) {
      const own = path.replace(/:\w+/g, "some-one");
      expect([path, isReturnPath(own)]).toEqual([path, audience !== "anyone" || path === "/"]);
      expect([path, isReturnPath(`${own}?a=1&b=%2F`)]).toEqual([path, isReturnPath(own)]);
      for (const wrong of [
        `/${own}`,
        `//evil.example${own}`,
        `\\${own}`,
        `${own}/../..`,
        `x${own}`,
      ])
        expect([wrong, isReturnPath(wrong)]).toEqual([wrong, false]);
    }
  });

  test("what a provider refused is told in our own words, never in those of the address", async () => {
    for (const [code, words] of [
      ["access_denied", "sign-in was cancelled"],
      ["something_new", "did not finish"],
      ["__proto__", "did not finish"],
    ] as const) {
      const query = new URLSearchParams({ error: code, error_description: "Call 555-0100" });
      const { text } = await openPerson(roster).open(`/sign-in?${query}`);
      expect(readable(text)).toContain(words);
      expect(text.split("<main")[1]?.replace(/action="[^"]*"/, "")).not.toContain("555-0100");
    }
  });

  test("a wrong password is 400 in one sentence for unknown and known, and keeps the e-mail", async () => {
    const said = [];
    for (const email of ["user@example.com", "nobody@example.com"]) {
      const person = openPerson(roster);
      const page = await person.send("/sign-in", "sign-in", { email, password: "wrong password" });
      expect(page.status).toBe(400);
      expect(page.text).toContain(`value="${email}"`);
      expect(page.text).not.toContain("wrong password");
      said.push(readable(page.text).replaceAll(email, "x"));
    }
    expect(said[0]).toBe(said[1] as string);
  });
});

describe("when something breaks", () => {
  test("500 as a page that says nothing of the cause but the id it has in the log", async () => {
    const logged: object[] = [];
    const publicUrl = () => "http://127.0.0.1:7171";
    const breaking = definePublicPage({
      path: "/breaking",
      show: () => {
        throw new Error("SELECT secret FROM somewhere");
      },
    });
    const context = {
      modules: { signIn: roster.signIn, publicUrl } as WebModules,
      calls: createCalls(roster.modules, { error: () => {} } as never),
      forms: createForms({ publicUrl, random: (bytes) => new Uint8Array(bytes) }),
      notices: createNotices(roster.clock.now),
      typed: keepValues(roster.clock.now, 1000) as WebContext["typed"],
      isReturnPath: () => false,
      now: roster.clock.now,
      log: { error: (about: object) => logged.push(about) },
    };
    const request = new Request("http://127.0.0.1:7171/breaking");
    const page = await answerPage(
      breaking,
      [request, { requestId: "req_1", address: undefined }, {}],
      context,
    );
    const text = await page.text();
    expect([page.status, readable(text)]).toEqual([500, expect.stringContaining("req_1")]);
    expect(text).not.toContain("SELECT");
    const err = expect.objectContaining({ message: "SELECT secret FROM somewhere" });
    expect(logged).toEqual([{ requestId: "req_1", err }]);
  });
});

describe("behind https", () => {
  test("cookies are bound to this host and to TLS, and browsers are told to stay there", async () => {
    const publicUrl = "https://roster.example";
    const secure = await openTestAppliance({ people: [], config: { publicUrl } });
    const { accounts } = secure.modules;
    await accounts.createWithoutKey({ email: "ada@example.com", plan: "pro" });
    const { token: link } = await accounts.makeLink("ada@example.com", "invitation");
    // A proxy passes it on over plain http, with the name that the browser used.
    const url = `http://roster.example/invitation?token=${link}`;
    const page = await secure.handle(new Request(url));
    const cookie = page.headers.get("set-cookie")?.split(";")[0] as string;
    const token = tokenIn(await page.text());
    const init = form({ token, act: "redeem", password: goodPassword });
    const headers = { ...init.headers, cookie, origin: publicUrl };
    const done = await secure.handle(new Request(url, { ...init, headers }));
    expect([done.status, done.headers.get("location")]).toEqual([303, "/"]);
    const lines = [...page.headers.getSetCookie(), ...done.headers.getSetCookie()];
    expect(lines.length).toBe(3);
    for (const line of lines) {
      expect(line).toStartWith("__Host-roster");
      for (const part of ["; Secure", "; HttpOnly", "; Path=/", "; SameSite=Lax"]) {
        expect(line).toContain(part);
      }
      expect(line).not.toContain("Domain");
    }
    expect(page.headers.get("strict-transport-security")).toStartWith("max-age=");
    await secure.close();
  });
});

describe("guessing", () => {
  test("429 with Retry-After once there were too many, and a page that says so", async () => {
    const other = await openTestAppliance({ people: [] });
    const guesser = openPerson(other);
    const wrong = { email: "admin@localhost", password: "a wrong password" };
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await guesser.send("/sign-in", "sign-in", wrong)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    const page = await guesser.send("/sign-in", "sign-in", wrong);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(readable(page.text)).toContain("Too many attempts");
    await other.close();
  });
});

import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createSignInContext } from "../../../src/accounts/sign-in/sign-in-context.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { createOAuthRoutes } from "../../../src/interfaces/http/http.ts";
import { pages } from "../../../src/interfaces/web/pages.ts";
import {
  consented,
  newClient,
  pkce,
  redeem,
  redirectUri,
  type Tokens,
} from "../../accounts/oauth/assistant.ts";
import { type Browser, openSignInAppliance, signedIn } from "../../accounts/sign-in/browser.ts";
import { rounds } from "../../long.ts";

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "ada@example.com");
const routes = createOAuthRoutes({
  ...{ signIn: roster.signIn, publicUrl: () => publicUrl, log: { error: () => {} } },
  ...{ canRegister: true, providers: () => [] },
});
afterAll(() => roster.close());

const at = (path: string) => `${roster.config.publicUrl}${path}`;
const get = (path: string) => roster.handle(new Request(at(path)));
const publicUrl = "http://127.0.0.1:7171";

function wholeLibrary() {
  const control = openSqliteControlStore(":memory:");
  const log = { warn: () => {}, error: () => {} };
  const context = createSignInContext(control, {
    ...{ now: () => new Date(), log, publicUrl: () => publicUrl, signUpMode: "open" },
    ...{ canRegister: true, registrationsPerHour: 20, privateRedirects: [], providers: () => [] },
  });
  return context.library();
}

describe("the authorization server's routes", () => {
  test("describe themselves (RFC 8414), and say nothing that the library does not", async () => {
    const response = await get("/.well-known/oauth-authorization-server");
    const ours = (await response.json()) as Record<string, unknown>;
    expect(ours).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth2/authorize`,
      token_endpoint: `${publicUrl}/oauth2/token`,
      registration_endpoint: `${publicUrl}/oauth2/register`,
      revocation_endpoint: `${publicUrl}/oauth2/revoke`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ["search", "profile", "offline_access"],
    });
    const { handler } = await wholeLibrary();
    const request = new Request(at("/.well-known/oauth-authorization-server"));
    const theirs = (await (await handler(request)).json()) as Record<string, unknown>;
    for (const [name, value] of Object.entries(ours)) {
      if (Array.isArray(value)) {
        const known = theirs[name] as unknown[];
        // The library leaves public clients out, and serves them.
        if (!name.endsWith("_auth_methods_supported")) {
          expect(value.filter((one) => !known.includes(one))).toEqual([]);
        }
      } else if (!["service_documentation", "registration_endpoint"].includes(name)) {
        // Pages and registration are ours.
        expect(value).toEqual(theirs[name]);
      }
    }
  });

  test("name the protected resource (RFC 9728), at its own path and at the root", async () => {
    for (const path of ["", "/mcp"]) {
      const response = await get(`/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: `${publicUrl}/mcp`,
        authorization_servers: [publicUrl],
        bearer_methods_supported: ["header"],
        scopes_supported: ["search", "profile"],
      });
    }
  });

  test("name it by whichever name of this machine it was asked by: clients compare the two", async () => {
    const named = async (origin: string) => {
      const url = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const metadata = await (await roster.handle(new Request(url))).json();
      const refused = await roster.handle(new Request(`${origin}/mcp`, { method: "POST" }));
      const challenge = refused.headers.get("www-authenticate");
      expect(metadata).toMatchObject({ authorization_servers: [publicUrl] });
      const { resource } = metadata as { resource: string };
      return [resource, challenge?.replaceAll(/^.*metadata="|".*$/g, "")];
    };
    for (const origin of ["http://localhost:7171", "http://[::1]:7171", publicUrl]) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      expect(await named(origin)).toEqual([`${origin}/mcp`, metadata]);
    }
    for (const path of ["http://localhost:1", "http://evil.example:7171"]) {
      const url = `${path}/.well-known/oauth-protected-resource/mcp`;
      expect(await (await roster.handle(new Request(url))).json()).toMatchObject({
        resource: `${publicUrl}/mcp`,
      });
    }
  });

  test("give tokens for one resource by any of its names on this machine, and for no other", async () => {
    const clientId = await newClient(roster);
    const way = async (asked: string, redeemed: string) => {
      const proof = pkce();
      const callback = await consented(roster, ada, clientId, proof, { resource: asked });
      const response = await redeem(roster, clientId, callback, proof, { resource: redeemed });
      const { access_token: token = "" } = (await response.json()) as Partial<Tokens>;
      return roster.signIn.authenticateToken(token, `${publicUrl}/mcp`);
    };
    const local = "http://localhost:7171/mcp";
    expect(await way(local, local)).toBeDefined();
    expect(await way(`${publicUrl}/mcp`, local)).toBeDefined();
    expect(await way("http://[::1]:7171/mcp", `${publicUrl}/mcp`)).toBeDefined();
    for (const other of [
      "http://localhost:7171/v1",
      "http://localhost:1/mcp",
      "https://localhost:7171/mcp",
    ]) {
      expect(await way(local, other)).toBeUndefined();
    }
  });

  test("are all there is of the library: every other endpoint of it is 404", async () => {
    // One of its endpoints has the path of a page of ours, which answers in its place.
    const served = new Set([...routes, ...pages].map(({ path }) => path));
    const { api } = await wholeLibrary();
    const paths = Object.values(api)
      .map((endpoint) => (endpoint as { path?: string }).path)
      .filter((path) => path !== undefined && !served.has(path) && !path.includes(":"));
    expect(paths.length).toBeGreaterThan(40);
    expect(paths).toContain("/sign-up/email");
    const methods = ["GET", "POST"] as const;
    for (const path of paths) {
      for (const method of methods) {
        const body = method === "POST" ? { body: "{}" } : {};
        const headers = { "content-type": "application/json", cookie: cookieOf(ada) };
        const response = await roster.handle(
          new Request(at(path as string), { method, headers, ...body }),
        );
        expect([path, method, response.status]).toEqual([path, method, 404]);
      }
    }
  });

  test("can be called by programs in a browser page, except where a session decides", async () => {
    for (const { path } of routes) {
      const headers = { origin: "https://inspector.example" };
      const preflight = await roster.handle(new Request(at(path), { method: "OPTIONS", headers }));
      const isOpen = path !== "/oauth2/authorize" && !path.startsWith("/sso/");
      expect([path, preflight.status]).toEqual([path, isOpen ? 204 : 405]);
      expect(preflight.headers.get("access-control-allow-origin")).toBe(isOpen ? "*" : null);
      expect(preflight.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("take one content type, and a body that fits", async () => {
    const send = (path: string, type: string, body: string) =>
      roster.handle(
        new Request(at(path), { method: "POST", headers: { "content-type": type }, body }),
      );
    const form = "application/x-www-form-urlencoded";
    expect((await send("/oauth2/token", "application/json", "{}")).status).toBe(415);
    expect((await send("/oauth2/token", form, `grant_type=${"x".repeat(20_000)}`)).status).toBe(
      413,
    );
    expect((await send("/oauth2/register", "application/json", "{")).status).toBe(400);
    expect(
      (await send("/oauth2/register", "application/json", `"${"x".repeat(20_000)}"`)).status,
    ).toBe(413);
    // Browsers' and servers' own words would be no OAuth error.
    const refused = await send("/oauth2/revoke", "text/plain", "token=x");
    expect([refused.status, await refused.json()]).toEqual([
      415,
      { error: "invalid_request", error_description: `send ${form}` },
    ]);
  });

  test("stop reading a body of unknown length at the bound", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull: (stream) => {
        sent += 1024;
        stream.enqueue(new Uint8Array(1024).fill(97));
      },
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const request = new Request(at("/oauth2/token"), { method: "POST", headers, body });
    expect((await roster.handle(request)).status).toBe(413);
    expect(sent).toBeLessThan(64 * 1024);
  });

  test("the page for a browser that cannot be sent back shows words, never markup", async () => {
    const response = await get("/oauth2/error?error=x&error_description=<script>alert(1)</script>");
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain("<code>scriptalert(1)/script</code>");
    expect(text).toContain("connect it again");
  });
});

test.each(["http://roster.lan:7171", "http://192.0.2.7:7171"])(
  "at %s people sign in, and assistants are told to use https or a key",
  async (publicUrl) => {
    const plain = await openSignInAppliance({ config: { publicUrl } });
    const browser = await signedIn(plain, "ada@example.com");
    expect(await plain.signIn.visitor(browser.request())).toBeDefined();
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
    ]) {
      const response = await plain.handle(new Request(`${publicUrl}${path}`));
      const { error_description: said } = (await response.json()) as { error_description: string };
      expect([response.status, said]).toEqual([404, expect.stringContaining("over https only")]);
    }
    const authorize = await plain.handle(browser.request("/oauth2/authorize?client_id=x"));
    expect(authorize.status).toBe(404);
    const refused = await plain.handle(new Request(`${publicUrl}/mcp`, { method: "POST" }));
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(await refused.text()).toContain("over https only");
    await plain.close();
  },
);

describe("29 whatever is sent", () => {
  const cookieAndForm = () => ({
    cookie: cookieOf(ada),
    "content-type": "application/x-www-form-urlencoded",
  });
  const word = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom("", "\0", "é", "%", "null", "code", "S256", "search", redirectUri, publicUrl),
  );
  const names = [
    ...["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "prompt"],
    ...["code_challenge_method", "resource", "grant_type", "code", "code_verifier", "token"],
    ...["refresh_token", "client_secret", "request", "request_uri", "max_age", "claims", "sig"],
  ];
  const fields = fc.array(fc.tuple(fc.constantFrom(...names), word), { maxLength: 12 });

  test("authorize, token and revoke answer it without a fault of ours", async () => {
    const clientId = await newClient(roster);
    const faults: string[] = [];
    const send = async (pairs: [string, string][]) => {
      const query = new URLSearchParams([["client_id", clientId], ...pairs]).toString();
      const headers = cookieAndForm();
      const responses = [
        await roster.handle(new Request(at(`/oauth2/authorize?${query}`), { headers })),
        await roster.handle(
          new Request(at("/oauth2/token"), { method: "POST", headers, body: query }),
        ),
        await roster.handle(
          new Request(at("/oauth2/revoke"), { method: "POST", headers, body: query }),
        ),
        await roster.handle(new Request(at(`/oauth2/error?${query}`), { headers })),
      ];
      for (const response of responses) {
        if (response.status >= 500) faults.push(`${response.status} ${query}`);
      }
    };
    await fc.assert(
      fc.asyncProperty(fields, async (pairs) => {
        await send(pairs);
        expect(faults).toEqual([]);
      }),
      { numRuns: rounds(150) },
    );
  });

  test("so does registration", async () => {
    const bodies = fc.oneof(fc.json(), fc.string());
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        roster.clock.advance(3601);
        const headers = { "content-type": "application/json" };
        const response = await roster.handle(
          new Request(at("/oauth2/register"), { method: "POST", headers, body }),
        );
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: rounds(100) },
    );
  });
});

function cookieOf({ jar }: Browser): string {
  return [...jar].map((pair) => pair.join("=")).join("; ");
}

/** Roster below a path of somebody's host, behind a proxy that strips the path and behind one that keeps it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { serveBelow } from "../../../src/interfaces/http/base-path.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { freePort } from "../../faults/server-process.ts";
import { kinds, memory } from "../../official-clients.ts";
import { openCallback } from "../web/assistant.ts";
import { goodPassword, tokenIn } from "../web/person.ts";

const base = "/roster";

/** As nginx and Caddy do it: what is not below the path belongs to others, but for the metadata of OAuth. */
function openProxy(port: number, target: string, isStripped: boolean) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch: async (request) => {
      const { pathname, search, host } = new URL(request.url);
      const isOurs = pathname.startsWith(`${base}/`);
      const isMetadata = /^\/\.well-known\/oauth-[a-z-]+\/roster(\/|$)/.test(pathname);
      if (!isOurs && !isMetadata) return new Response("a neighbour", { status: 410 });
      const path = isOurs && isStripped ? pathname.slice(base.length) : pathname;
      const headers = new Headers(request.headers);
      headers.set("host", host);
      headers.set("x-forwarded-for", "203.0.113.7");
      const { method } = request;
      const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
      const init = { method, headers, body, redirect: "manual", decompress: false } as const;
      return fetch(target + path + search, init);
    },
  });
}

for (const isStripped of [true, false]) {
  describe(`below ${base}, behind a proxy that ${isStripped ? "strips" : "keeps"} it`, () => {
    let roster: TestAppliance;
    let proxy: ReturnType<typeof openProxy>;
    let origin: string;
    let publicUrl: string;
    const jar = new Map<string, string>();

    beforeAll(async () => {
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      publicUrl = `${origin}${base}`;
      roster = await openTestAppliance({ config: { publicUrl, trustedProxies: ["127.0.0.1"] } });
      proxy = openProxy(port, roster.listen(), isStripped);
    });
    afterAll(async () => {
      await proxy.stop(true);
      await roster.close();
    });

    /** A browser at the proxy. Each step must stay below the path. */
    async function open(address: string, init: RequestInit = {}): Promise<Response> {
      const url = new URL(address, publicUrl);
      expect(url.href).toStartWith(`${publicUrl}/`);
      const headers = new Headers(init.headers);
      headers.set("sec-fetch-site", "same-origin");
      headers.set("cookie", [...jar].map((pair) => pair.join("=")).join("; "));
      const response = await fetch(url, { ...init, headers, redirect: "manual" });
      for (const line of response.headers.getSetCookie()) {
        expect(line).toMatch(/; Path=\/roster(;|$)/i);
        const [name = "", value = ""] = line.slice(0, line.indexOf(";")).split("=", 2);
        jar.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null || (!location.startsWith(`${publicUrl}/`) && !location.startsWith("/")))
        return response;
      return open(new URL(location, url).href);
    }

    async function send(address: string, act: string, fields: Record<string, string>) {
      const token = tokenIn(await (await open(address)).text());
      const body = new URLSearchParams({ token, act, ...fields });
      return open(address, { method: "POST", body, headers: { origin } });
    }

    test("every address on the pages is below the path, and each file is there", async () => {
      for (const page of ["/", "/sign-in", "/nothing-here"]) {
        const headers = { accept: "text/html" };
        const html = await (await open(`${publicUrl}${page}`, { headers })).text();
        const found = [...html.matchAll(/(?:href|src|action|hx-get)="(\/[^"]*)"/g)].map(
          ([, one = ""]) => one,
        );
        expect(found.length).toBeGreaterThan(3);
        for (const one of found) expect(one).toStartWith(`${base}/`);
        for (const file of found.filter((one) => one.includes("/assets/"))) {
          const answer = await open(origin + file);
          expect([file, answer.status]).toEqual([file, 200]);
        }
      }
      const docs = await open(`${publicUrl}/docs`);
      for (const [, one = ""] of (await docs.text()).matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (one.startsWith("data:")) continue;
        const answer = await open(new URL(one, `${publicUrl}/docs`).href);
        expect([one, answer.status]).toEqual([one, 200]);
      }
    });

    test("somebody takes an invitation, signs out and in, and makes a key that works at /v1", async () => {
      const email = "ann@example.com";
      await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
      const { token } = await roster.modules.accounts.makeLink(email, "invitation");
      const password = goodPassword;
      const taken = await send(`${publicUrl}/invitation?token=${token}`, "redeem", { password });
      expect([taken.status, taken.url]).toEqual([200, `${publicUrl}/`]);
      expect((await send(`${publicUrl}/sign-out`, "sign-out", {})).status).toBe(200);
      expect((await open(`${publicUrl}/account`)).url).toStartWith(`${publicUrl}/sign-in?next=`);
      const fields = { email, password };
      const entered = await send(`${publicUrl}/sign-in?next=/account/api`, "sign-in", fields);
      expect(entered.url).toBe(`${publicUrl}/account/api`);
      const html = await (await send(`${publicUrl}/account/api`, "create", { password })).text();
      const key = /rst_[0-9A-Za-z]{49}/.exec(html)?.[0] as string;
      const headers = { "x-api-key": key };
      const answer = await fetch(`${publicUrl}/v1/users/ada-example`, { headers });
      expect(answer.status).toBe(200);
      expect((await roster.log()).includes('"client":"203.0.113.7"')).toBe(true);
      const document = await (await fetch(`${publicUrl}/v1/openapi.json`)).json();
      expect((document as { servers: object[] }).servers).toMatchObject([{ url: publicUrl }]);
    });

    for (const [name, kind] of Object.entries(kinds)) {
      test(`${name} signs in at /mcp, and its person allows it`, async () => {
        const callback = openCallback();
        try {
          const provider = memory(name, callback.address);
          const server = `${publicUrl}/mcp`;
          await expect(kind.open(server, provider)).rejects.toThrow();
          const asked = await open(provider.kept.sentTo?.href as string);
          expect(asked.url).toStartWith(`${publicUrl}/consent?`);
          const allowed = await send(asked.url, "allow", {});
          const link = /href="(http:[^"]*\/callback\?[^"]*)"/.exec(await allowed.text())?.[1] ?? "";
          const back = new URL(link.replaceAll("&amp;", "&"));
          expect(back.href).toStartWith(callback.address);
          expect(back.searchParams.get("iss")).toBe(publicUrl);
          await kind.finish(server, provider, back.searchParams);
          const client = await kind.open(server, provider);
          const input = { login: "ada-example" };
          const called = await client.callTool({ name: "get_developer", arguments: input });
          expect(called.isError).toBeFalsy();
          await client.close();
        } finally {
          callback.close();
        }
      });
    }
  });
}

test("a call below the path learns that its client is gone", async () => {
  const arrival = Promise.withResolvers<string>();
  const departure = Promise.withResolvers<Response>();
  const handle = serveBelow(
    () => `https://intra.example${base}`,
    (request) => {
      request.signal.addEventListener("abort", () => departure.resolve(new Response()));
      arrival.resolve(new URL(request.url).pathname);
      return departure.promise;
    },
  );
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handle });
  const client = new AbortController();
  const asked = fetch(new URL(`${base}/v1/search`, server.url), { signal: client.signal });
  expect(await arrival.promise).toBe("/v1/search");
  client.abort();
  await expect(asked).rejects.toThrow();
  expect((await departure.promise).status).toBe(200);
  await server.stop(true);
});

test("under https the cookies go to the path alone, and no plain http can set them", async () => {
  const config = { publicUrl: "https://intra.example/roster" };
  const roster = await openTestAppliance({ people: [], config });
  const page = await roster.handle(new Request("https://intra.example/roster/sign-in"));
  expect(page.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Secure-roster-forms=[0-9a-f]{32}; Path=\/roster; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ]);
  await roster.close();
});

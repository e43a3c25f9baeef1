/** What holds for a way in that another interface offers: the same care as for the HTTP interface's own routes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pino from "pino";
import { Problem } from "../../../src/contract/problem.ts";
import { type AppOptions, createApp } from "../../../src/interfaces/http/app.ts";
import { createHttp, type HttpServer } from "../../../src/interfaces/http/http.ts";
import type { RequestMetadata } from "../../../src/network/route.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";

let appliance: TestAppliance;
let options: AppOptions;
let http: HttpServer;
let visits: RequestMetadata[];

beforeAll(async () => {
  appliance = await openTestAppliance({ people: [] });
  visits = [];
  options = {
    newId: () => `route${visits.length}`,
    log: pino({ level: "silent" }),
    publicUrl: () => "http://127.0.0.1:7171",
  };
  http = createHttp({
    ...options,
    modules: appliance.modules,
    version: "0.0.0-test",
    faults: async () => [],
    healthNotes: async () => ({}),
    loadPages: async () => ({ routes: [], answerUnknown: async () => undefined }),
    trustedProxies: [],
    routes: [
      {
        path: "/offered/:word",
        methods: ["GET", "POST"],
        handle: async (request, visit) => {
          visits.push(visit);
          return new Response(`${request.method} ${await request.text()}`, {
            headers: { "content-security-policy": "default-src 'self'", "x-own": "yes" },
          });
        },
      },
      { path: "/all/*", methods: ["DELETE"], handle: () => new Response(null, { status: 204 }) },
      { path: "/host", methods: ["GET"], handle: ({ url }) => new Response(new URL(url).host) },
      {
        path: "/refusing",
        methods: ["GET"],
        handle: () => {
          throw new Problem("not_found", { message: "no such page" });
        },
      },
      {
        path: "/breaking",
        methods: ["GET"],
        handle: async () => {
          throw new Error("SELECT secret");
        },
      },
    ],
  });
});
afterAll(async () => {
  await http.close();
  await appliance.close();
});

const ask = (path: string, method = "GET", body: string | null = null) =>
  http.handle(new Request(`http://localhost${path}`, { method, body }));

describe("A route that another interface offers", () => {
  test("gets the request unread, and its own headers stand beside the careful ones", async () => {
    const response = await ask("/offered/here", "POST", "not json");
    expect([response.status, await response.text()]).toEqual([200, "POST not json"]);
    expect(response.headers.get("content-security-policy")).toBe("default-src 'self'");
    expect(response.headers.get("x-own")).toBe("yes");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toBe(visits.at(-1)?.requestId as string);
  });

  test("answers HEAD where it answers GET, without a body", async () => {
    const response = await ask("/offered/here", "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("405 names every method it takes", async () => {
    const response = await ask("/offered/here", "DELETE");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    const wild = await ask("/all/of/this");
    expect([wild.status, wild.headers.get("allow")]).toEqual([405, "DELETE"]);
    expect((await ask("/all/of/this", "DELETE")).status).toBe(204);
  });

  test("a request that names no host is refused, the first of all too", async () => {
    const request = new Request("http://localhost/");
    Object.defineProperty(request, "url", { value: "/" });
    const response = await createApp(options).fetch(request);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("must name one host"),
    ]);
  });

  test.each(["a", "ab", "a:1", "api", "api:8080", "[::1]", "roster.example"])(
    "is found at the host %s, whose name stays as it is",
    async (host) => {
      for (const scheme of ["http", "https"]) {
        const response = await http.handle(new Request(`${scheme}://${host}/host?x`));
        expect([response.status, await response.text()]).toEqual([200, host]);
      }
    },
  );

  test("what it throws is answered in the envelope, a fault without its text", async () => {
    const refused = await ask("/refusing");
    const body = (await refused.json()) as { error: { message: string } };
    expect([refused.status, body.error.message]).toEqual([404, "no such page"]);
    const broken = await ask("/breaking");
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain("secret");
  });

  test("knows the peer's address on a socket, and none without", async () => {
    await ask("/offered/here");
    expect(visits.at(-1)?.address).toBeUndefined();
    const port = http.listen({ host: "127.0.0.1", port: 0 });
    const forged = { "x-forwarded-for": "203.0.113.7" };
    expect(
      (await fetch(`http://127.0.0.1:${port}/offered/there`, { headers: forged })).status,
    ).toBe(200);
    expect(visits.at(-1)?.address).toBe("127.0.0.1");
  });
});

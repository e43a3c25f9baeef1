import { afterAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { operations } from "../../src/operations/index.ts";
import { openTestAppliance } from "../appliance.ts";

const appliance = await openTestAppliance();
const key = (await appliance.newAccount("enterprise", { callsPerDay: "unlimited" })).key;
afterAll(() => appliance.close());

const ask = (path: string, method = "GET", headers: Record<string, string> = {}, body?: unknown) =>
  appliance.client.ask({ path, method, headers, body, key });

describe("Routes", () => {
  test.each([
    ...["/v1", "/v1/", "/v1/nothing", "/v2/search", "/v1/search/", "//v1/search", "/V1/search"],
    ...["/v1/Search", "/v1/users", "/v1/users/", "/v1/users/ada-example/", "/docs/", "/.env"],
    ...["/v1/users/ada-example/x", "/docs/nothing.js", "/metrics"],
  ])("404 not_found in the envelope for %s", async (path) => {
    const { status, body } = await ask(path);
    expect([status, body.success, body.error.code]).toEqual([404, false, "not_found"]);
    expect(body.meta).not.toHaveProperty("quota");
  });

  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const routes = [
    ...operations.map(({ path, method }) => ({ path: path.replace(":login", "x"), method })),
    ...["/", "/livez", "/readyz", "/v1/openapi.json"].map((path) => ({ path, method: "GET" })),
  ];
  for (const { path, method } of routes) {
    // A developer may have the login "batch".
    const isBoth = path === "/v1/users/batch";
    const allowed = method === "GET" || isBoth ? ["GET", "HEAD"] : [];
    if (method === "POST") allowed.push("POST");
    for (const wrong of methods.filter((candidate) => !allowed.includes(candidate))) {
      test(`405 with Allow for ${wrong} ${path}`, async () => {
        const request = new Request(`http://localhost${path}`, { method: wrong });
        const response = await appliance.handle(request);
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toBe(allowed.join(", "));
        const text = await response.text();
        if (wrong !== "HEAD") expect(JSON.parse(text).error.code).toBe("invalid_request");
      });
    }
  }

  test("405 whatever X-HTTP-Method-Override says", async () => {
    const { status } = await ask("/v1/search", "GET", { "x-http-method-override": "POST" });
    expect(status).toBe(405);
  });

  test("a preflight gets no permission: there is no CORS on /v1", async () => {
    const response = await appliance.handle(
      new Request("http://localhost/v1/search", {
        method: "OPTIONS",
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
      }),
    );
    expect(response.status).toBe(405);
    const allowing = [...response.headers.keys()].filter((name) => name.startsWith("access-"));
    expect(allowing).toEqual([]);
  });
});

describe("Bodies", () => {
  const body = JSON.stringify({ location: "Berlin" });
  const post = (headers: Record<string, string>, sent: unknown = body) =>
    ask("/v1/search", "POST", headers, sent);

  test.each([
    ...["application/json", "Application/JSON", "application/json; charset=utf-8"],
    ...['application/json;charset="UTF-8"', "application/json ; charset=utf8"],
  ])("200 with Content-Type %s", async (type) => {
    expect((await post({ "content-type": type })).status).toBe(200);
  });

  test.each([
    ...["text/plain", "text/json", "application/x-www-form-urlencoded", "application/jsonp"],
    ...["multipart/form-data; boundary=x", "application/json-patch+json", "", "json"],
    ...["application/json; charset=utf-16", "application/json, text/plain"],
  ])('415 with Content-Type "%s"', async (type) => {
    const reply = await post({ "content-type": type });
    expect([reply.status, reply.body.error.code]).toEqual([415, "invalid_request"]);
    expect(reply.body.error.message).toContain("application/json");
  });

  test("415 for a compressed body", async () => {
    const reply = await post({ "content-encoding": "gzip" }, Bun.gzipSync(body));
    expect([reply.status, reply.body.error.code]).toEqual([415, "invalid_request"]);
  });

  test("413 one byte above the bound, judged on its content at the bound", async () => {
    const padded = (bytes: number) => body + " ".repeat(bytes - body.length);
    expect((await post({}, padded(limits.bodyBytesMax))).status).toBe(200);
    const reply = await post({}, padded(limits.bodyBytesMax + 1));
    expect([reply.status, reply.body.error.code]).toEqual([413, "invalid_request"]);
    expect(reply.body.error.message).toContain(String(limits.bodyBytesMax));
  });

  test("413 for a body in chunks, without an announced length", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(0x20));
      },
    });
    const response = await appliance.handle(
      new Request("http://localhost/v1/search", {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key },
        body: endless,
      }),
    );
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(limits.bodyBytesMax * 4);
  });
});

describe("Headers", () => {
  test("every answer under /v1 forbids storing, sniffing and framing, and names the request", async () => {
    const replies = [
      await ask("/v1/users/ada-example"),
      await ask("/v1/users/nobody-here"),
      await ask("/v1/nothing"),
      await ask("/v1/search"),
      await ask("/v1/search", "POST", {}, "{"),
      await appliance.client.ask({ path: "/v1/users/ada-example" }),
      await ask("/v1/openapi.json"),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 404, 405, 400, 401, 200]);
    const kept = replies.map(({ headers }) => headers.get("cache-control"));
    // What was read may be kept by the one who asked, and the document by all. Both are asked for anew by their tags.
    expect(kept).toEqual(["private, no-cache", ...Array(5).fill("no-store"), "no-cache"]);
    for (const { headers } of replies) {
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("keep-alive")).toBe("timeout=9");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-powered-by")).toBeNull();
    }
    const ids = replies.map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(replies.length);
  });

  test("nothing of the request's own headers comes back", async () => {
    const forged = {
      "x-request-id": "req_forged",
      "x-forwarded-host": "evil.example",
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-proto": "https",
      origin: "https://evil.example",
    };
    const reply = await ask("/v1/users/ada-example", "GET", forged);
    const shown = JSON.stringify([[...reply.headers], reply.body]);
    expect(shown).not.toContain("forged");
    expect(shown).not.toContain("evil.example");
    const document = await ask("/v1/openapi.json", "GET", forged);
    expect(JSON.stringify(document.body)).not.toContain("evil.example");
  });

  test("HSTS only where callers come by https", async () => {
    expect((await ask("/v1/users/x")).headers.get("strict-transport-security")).toBeNull();
    const config = { publicUrl: "https://roster.example" };
    const secure = await openTestAppliance({ people: [], config });
    const reply = await secure.client.ask({ path: "/v1/users/x" });
    expect(reply.headers.get("strict-transport-security")).toContain("max-age=");
    await secure.close();
  });
});

describe("A fault of ours", () => {
  test("500 internal shows a fixed text, logs the cause with the request id, and counts nothing", async () => {
    const broken = await openTestAppliance();
    const { key } = await broken.newAccount("pro");
    // A module that fails with a telling text, as a database driver would: it must stay in the log.
    broken.modules.search.find = () => {
      throw new Error("SELECT secret FROM somewhere");
    };
    const reply = await broken.client.search({ location: "Berlin" }, key);
    expect([reply.status, reply.body.error]).toEqual([
      500,
      { code: "internal", message: "Unexpected server error." },
    ]);
    expect(JSON.stringify(reply.body)).not.toContain("secret");
    const lines = broken.log().split("\n");
    const logged = lines.find((line) => line.includes("SELECT secret"));
    expect(logged).toContain(reply.body.meta.requestId);
    expect((await broken.client.get("ada-example", key)).body.meta.quota.used).toBe(1);
    await broken.close();
  });
});

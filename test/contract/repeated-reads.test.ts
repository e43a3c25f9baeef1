/** A client that keeps what it read asks by the tag, and gets 304 while the data are the same. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";

let appliance: TestAppliance;
let key: string;

beforeEach(async () => {
  appliance = await openTestAppliance();
  key = (await appliance.newAccount("pro")).key;
});
afterEach(() => appliance.close());

const ask = (path: string, tag?: string, more: object = {}) =>
  appliance.client.ask({
    ...{ path, key, ...more },
    headers: tag === undefined ? {} : { "if-none-match": tag },
  });
const readTag = async (path: string) => (await ask(path)).headers.get("etag") ?? "";
const ada = "/v1/users/ada-example";

test("a read has a weak tag of its data, and may be kept but not without asking", async () => {
  const first = await ask(ada);
  const tag = first.headers.get("etag") ?? "";
  expect(tag).toMatch(/^W\/"[0-9a-z]+"$/);
  expect(first.headers.get("cache-control")).toBe("private, no-cache");
  expect(first.headers.get("vary")).toBe("accept-encoding");
  // The data are the same though each answer has an id and a count of its own.
  expect(await readTag(ada)).toBe(tag);
  expect(await readTag("/v1/users/ADA-example")).toBe(tag);
  expect(await readTag("/v1/users/Ben-Sample")).not.toBe(tag);
});

test.each([
  ["the tag", (tag: string) => tag],
  ["the tag, made strong by a proxy", (tag: string) => tag.replace("W/", "")],
  ["the tag among others", (tag: string) => `"old", ${tag}, W/"older"`],
  ["any tag", () => "*"],
])("304 for %s: no body, the same headers, and it counts as 200 does", async (_, toSent) => {
  const before = await ask(ada);
  const tag = before.headers.get("etag") ?? "";
  const { status, headers, body } = await ask(ada, toSent(tag));
  expect([status, body]).toEqual([304, undefined]);
  for (const name of [
    "etag",
    "cache-control",
    "vary",
    "ratelimit-policy",
    "x-content-type-options",
  ]) {
    expect([name, headers.get(name)]).toEqual([name, before.headers.get(name)]);
  }
  expect(headers.get("x-request-id")).toStartWith("req_");
  expect(headers.get("content-type")).toBeNull();
  expect((await ask(ada)).body.meta.quota.used).toBe(before.body.meta.quota.used + 2);
});

test("200 for an old tag; and what is refused has no tag and may not be kept", async () => {
  expect((await ask(ada, 'W/"old"')).status).toBe(200);
  for (const [path, status] of [
    ["/v1/users/nobody-here", 404],
    ["/v1/lookup?limit=many", 400],
  ] as const) {
    const { headers, ...reply } = await ask(path, "*");
    expect(reply.status).toBe(status);
    expect([headers.get("etag"), headers.get("cache-control")]).toEqual([null, "no-store"]);
  }
  expect(
    (await appliance.client.ask({ path: ada, headers: { "if-none-match": "*" } })).status,
  ).toBe(401);
});

test("429 when no call is left, also for the right tag", async () => {
  const { key: last } = await appliance.newAccount("pro", { callsPerDay: 1 });
  const tag = (await ask(ada, undefined, { key: last })).headers.get("etag") ?? "";
  expect((await ask(ada, tag, { key: last })).status).toBe(429);
});

test("HEAD has the tag of GET, and 304 as well", async () => {
  const tag = await readTag(ada);
  const head = await ask(ada, undefined, { method: "HEAD" });
  expect([head.status, head.headers.get("etag")]).toEqual([200, tag]);
  expect((await ask(ada, tag, { method: "HEAD" })).status).toBe(304);
});

test("a free read has one too: its data decide, not who asks", async () => {
  const lookup = "/v1/lookup?q=Ber";
  const tag = await readTag(lookup);
  const { key: other } = await appliance.newAccount("enterprise");
  expect((await ask(lookup, tag, { key: other })).status).toBe(304);
  const usage = await readTag("/v1/usage");
  expect((await ask("/v1/usage", usage)).status).toBe(304);
  expect((await ask("/v1/usage", usage, { key: other })).status).toBe(200);
  await ask(ada);
  expect((await ask("/v1/usage", usage)).status).toBe(200);
});

test("a search has none, because it is sent by POST", async () => {
  const { headers } = await appliance.client.search({ location: "Berlin" });
  expect([headers.get("etag"), headers.get("cache-control")]).toEqual([null, "no-store"]);
});

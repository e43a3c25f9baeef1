/** GET /v1/export: everybody as lines of JSON, for keys of administrators, and to be taken up where it ended. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../appliance.ts";

const appliance = await openTestAppliance();
const made = { email: "boss@example.com", plan: "pro", administrator: true } as const;
const { key } = await appliance.modules.accounts.create(made);
const address = appliance.listen();
afterAll(() => appliance.close());

const ask = (query = "", headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${address}/v1/export${query}`, { method, headers: { "x-api-key": key, ...headers } });
const readLines = async (query = "", headers = {}) => {
  const text = await (await ask(query, headers)).text();
  expect(text).toEndWith("\n");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
};
const used = async () =>
  (await appliance.client.ask({ path: "/v1/usage", key })).body.data.month.used as number;
const logins = (await appliance.modules.pool.logins()).toSorted((a, b) =>
  a.toLowerCase() < b.toLowerCase() ? -1 : 1,
);

describe("GET /v1/export", () => {
  test("200 with the profile of each developer, in the order of the login, for one call", async () => {
    const before = await used();
    const response = await ask();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/jsonl",
    ]);
    expect(response.headers.get("ratelimit")).toContain('"month"');
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
    const lines = await readLines();
    expect(lines.map(({ username }) => username)).toEqual(logins);
    for (const line of lines) {
      expect(line).toEqual((await appliance.client.get(line.username)).body.data);
    }
    expect(await used()).toBe(before + 2);
  });

  test("200 with the analysis of each, as analyze_profile has it", async () => {
    const lines = await readLines("?kind=analysis");
    expect(lines.map(({ profile }) => profile.login)).toEqual(logins);
    for (const line of lines) {
      expect(line).toEqual((await appliance.client.analyze(line.profile.login)).body.data);
    }
  });

  test("goes on behind any login, in any case, and ends empty behind the last", async () => {
    for (const [at, login] of logins.slice(0, -1).entries()) {
      const rest = await readLines(`?after=${login.toUpperCase()}`);
      expect(rest.map(({ username }) => username)).toEqual(logins.slice(at + 1));
    }
    const last = await ask(`?after=${logins.at(-1)}`);
    expect([last.status, await last.text()]).toEqual([200, ""]);
    expect((await readLines("?after=b&kind=analysis"))[0].profile.login).toBe(
      logins.find((login) => login.toLowerCase() > "b"),
    );
  });

  test.each(["zstd", "gzip"])("is compressed with %s if the client accepts it", async (coding) => {
    const response = await ask("", { "accept-encoding": coding });
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect((await response.text()).trimEnd().split("\n")).toHaveLength(logins.length);
    expect((await ask("", { "accept-encoding": "identity" })).headers.has("content-encoding")).toBe(
      false,
    );
  });

  test("HEAD has no body, and counts", async () => {
    const before = await used();
    const response = await ask("", {}, "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(await used()).toBe(before + 1);
  });

  test("403 for a key of anybody else, which is not counted", async () => {
    const other = await appliance.newAccount("enterprise");
    const reply = await appliance.client.ask({ path: "/v1/export", key: other.key });
    expect([reply.status, reply.body.error]).toEqual([
      403,
      { code: "unauthorized", message: "Only API keys of administrators may export everybody." },
    ]);
    const usage = await appliance.client.ask({ path: "/v1/usage", key: other.key });
    expect(usage.body.data.month.used).toBe(0);
  });

  test("401 without a key, 400 for what it does not know, 405 for POST", async () => {
    expect((await appliance.client.ask({ path: "/v1/export" })).status).toBe(401);
    for (const query of ["?kind=facts", "?since=1", "?after=", "?after=a&after=b"]) {
      const { status, body } = await appliance.client.ask({ path: `/v1/export${query}`, key });
      expect([query, status, body.error.code]).toEqual([query, 400, "invalid_request"]);
    }
    expect((await appliance.client.ask({ path: "/v1/export", method: "POST", key })).status).toBe(
      405,
    );
  });
});

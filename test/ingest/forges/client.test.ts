import { describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { Fault } from "../../../src/contract/fault.ts";
import { forgeKinds } from "../../../src/contract/forge-kinds.ts";
import { github } from "../../../src/ingest/forges/adapters/github.ts";
import { gitlab } from "../../../src/ingest/forges/adapters/gitlab.ts";
import { ForgeDenial, ForgeOverload, ForgePause } from "../../../src/ingest/forges/forge.ts";
import { knownForges } from "../../../src/ingest/forges/known-forges.ts";
import { createTestClient, serveDouble } from "./double.ts";

const nothingLeft = { "x-ratelimit-remaining": "0" };
const json = (body: unknown, init: ResponseInit = {}) => Response.json(body as object, init);
const question = { path: "users", what: "the users" };

const packed = (coding: string, body: Uint8Array<ArrayBuffer>) =>
  new Response(body, { headers: { "content-encoding": coding } });

const caught = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error("nothing was thrown"),
    (error: Error) => error,
  );

/** Asks a forge that answers so. @returns what the client throws, and how often it asked. */
async function fail(
  answer: Parameters<typeof serveDouble>[0],
  options: Parameters<typeof createTestClient>[1] = {},
  more: object = {},
) {
  await using forge = serveDouble(answer);
  const { client, clock } = createTestClient(forge.url, options);
  const error = await caught(client.ask({ ...question, ...more }));
  return { error, clock, asked: forge.asked.length };
}

const refuse = (status: number, headers: Record<string, string> = {}) => {
  return () => json({}, { status, headers });
};

describe("a forge's client", () => {
  test("sends the token in the header that the forge knows, and follows pages of its own origin", async () => {
    const link = `<https://public.example/api/v1/users?page=2>; rel="next", </x>; rel="last"`;
    await using forge = serveDouble(({ url }) =>
      json([new URL(url).searchParams.get("page")], { headers: { link } }),
    );
    const { client } = createTestClient(`${forge.url}/api/v1`);
    const first = await client.ask({ ...question, query: { page: 1, none: undefined } });
    expect(first).toMatchObject({ status: 200, body: ["1"] });
    // The forge names itself by the address that the world knows.
    expect(first.next).toBe(`${forge.url}/api/v1/users?page=2`);
    const second = await client.ask({ ...question, path: first.next ?? "" });
    expect(second.body).toEqual(["2"]);
    expect(forge.asked.map(({ url }) => url)).toEqual([
      `${forge.url}/api/v1/users?page=1`,
      `${forge.url}/api/v1/users?page=2`,
    ]);
    expect(forge.asked[0]?.headers.get("authorization")).toBe("Bearer secret-token");
    const lab = createTestClient(forge.url, gitlab).client;
    await lab.ask({ ...question, body: { query: "{}" } });
    const last = forge.asked.at(-1);
    expect(last?.method).toBe("POST");
    expect(last?.headers.get("private-token")).toBe("secret-token");
    expect(last?.headers.get("authorization")).toBeNull();
    expect([client.requests(), lab.requests()]).toEqual([2, 1]);
  });

  test("401 says that the token was refused, is not asked again and is no limit", async () => {
    const limit = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" };
    const { error, asked, clock } = await fail(refuse(401, limit));
    expect(error).toMatchObject({ code: "forge_token" });
    expect(error.message).toBe("The token of source corp was refused (401).");
    expect([asked, clock.slept.length]).toEqual([1, 0]);
  });

  test("403 without a limit names the missing right, and is not asked again", async () => {
    const { error, asked } = await fail(refuse(403, { "x-accepted-oauth-scopes": "read:org" }));
    expect(error).toBeInstanceOf(ForgeDenial);
    expect(error.message).toBe(
      "The token of source corp may not read the users (403): it needs read:org.",
    );
    expect(asked).toBe(1);
  });

  const until = (name: string, at: string) => {
    return { [`${name}-remaining`]: "0", [`${name}-reset`]: `${Date.parse(at) / 1000}` };
  };
  const limits: readonly (readonly [string, number, Record<string, string>, number])[] = [
    ["429 with Retry-After", 429, { "retry-after": "7" }, 7000],
    ["403 with Retry-After", 403, { "retry-after": "2" }, 2000],
    ["503 with Retry-After", 503, { "retry-after": "3" }, 3000],
    ["a date", 429, { "retry-after": "Sun, 22 Nov 2026 12:00:30 GMT" }, 30_000],
    ["429 without a time", 429, {}, 60_000],
    ["403 with nothing left", 403, until("x-ratelimit", "2026-11-22T12:10:00Z"), 600_000],
    ["429 in GitLab's words", 429, until("ratelimit", "2026-11-22T12:01:00Z"), 60_000],
  ];
  for (const [what, status, headers, wait] of limits) {
    test(`${what}: waits that long and asks again`, async () => {
      await using forge = serveDouble((_, times) =>
        times === 1 ? json({}, { status, headers }) : json(["well"]),
      );
      const { client, clock } = createTestClient(forge.url);
      expect((await client.ask(question)).body).toEqual(["well"]);
      expect(Math.max(...clock.slept)).toBe(wait);
      expect(forge.asked).toHaveLength(2);
    });
  }

  test("a wait beyond what is allowed is a pause that says until when", async () => {
    const { error, clock } = await fail(refuse(429, { "retry-after": "901" }));
    expect(error).toBeInstanceOf(ForgePause);
    expect((error as ForgePause).until).toBe(clock.now() + 901_000);
    expect(clock.slept).toEqual([]);
  });

  for (const [what, headers] of [
    ["seconds without sense", { "retry-after": "999999999999999999" }],
    ["seconds beyond any figure", { "retry-after": "9".repeat(400) }],
    ["a date beyond this world", { "retry-after": "Fri, 31 Dec 275000 12:00:00 GMT" }],
    ["a limit that opens then", { ...nothingLeft, "x-ratelimit-reset": "9".repeat(30) }],
  ] as const) {
    test(`${what}: a pause of a day`, async () => {
      const { error, clock } = await fail(refuse(429, headers));
      expect(error).toBeInstanceOf(ForgePause);
      expect((error as ForgePause).until).toBe(clock.now() + 24 * 3_600_000);
    });
  }

  test("a refusal that comes again and again is waited for longer each time, and then pauses", async () => {
    const secondary = { message: "You have exceeded a secondary rate limit." };
    const { error, clock } = await fail(() => json(secondary, { status: 403 }), github);
    expect(error).toBeInstanceOf(ForgePause);
    const minutes = clock.slept.map((slept) => slept / 60_000).filter((slept) => slept >= 1);
    expect(minutes).toEqual([1, 2, 4, 8]);
    const eager = await fail(refuse(429, { "retry-after": "0" }));
    expect([eager.error.name, eager.asked]).toEqual(["ForgePause", 11]);
  });

  test("stops at the header that says nothing is left, before the forge has to refuse", async () => {
    const reset = Date.parse("2026-11-22T13:00:00Z");
    const headers = { ...nothingLeft, "x-ratelimit-reset": `${reset / 1000}` };
    await using forge = serveDouble(() => json([], { headers }));
    const { client } = createTestClient(forge.url);
    expect((await client.ask(question)).status).toBe(200);
    expect(client.remaining()).toBe(0);
    const error = await caught(client.ask(question));
    expect((error as ForgePause).until).toBe(reset);
    expect(forge.asked).toHaveLength(1);
    // Another limit of the same forge is open.
    expect((await client.ask({ ...question, bucket: "graphql" })).status).toBe(200);
  });

  test("no limit headers, and 0 of 0 as some servers say, are no limit", async () => {
    const open = { "x-ratelimit-limit": "0", "x-ratelimit-reset": "9999999999", ...nothingLeft };
    await using forge = serveDouble((_, times) => json([], times === 1 ? {} : { headers: open }));
    const { client, clock } = createTestClient(forge.url);
    for (let at = 0; at < 5; at++) expect((await client.ask(question)).status).toBe(200);
    // The own pace: ten a second.
    expect(clock.slept.every((slept) => slept <= 100)).toBe(true);
    expect(client.remaining()).toBeUndefined();
  });

  test("the operator's own limit pauses too", async () => {
    await using forge = serveDouble(() => json([]));
    const { client } = createTestClient(forge.url, { requestsPerHour: 3 });
    for (let at = 0; at < 3; at++) await client.ask(question);
    expect(await caught(client.ask(question))).toBeInstanceOf(ForgePause);
    expect(forge.asked).toHaveLength(3);
  });

  test("at most two at once", async () => {
    let [now, most] = [0, 0];
    const gate = Promise.withResolvers<void>();
    await using forge = serveDouble(async () => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) gate.resolve();
      await gate.promise;
      now -= 1;
      return json([]);
    });
    const { client } = createTestClient(forge.url);
    await Promise.all(Array.from({ length: 8 }, () => client.ask(question)));
    expect(most).toBe(2);
  });

  test.each([404, 410, 422])("%d is an answer", async (status) => {
    await using forge = serveDouble(() => new Response("gone", { status }));
    const answer = await createTestClient(forge.url).client.ask(question);
    expect([answer.status, answer.body, forge.asked.length]).toEqual([status, undefined, 1]);
  });

  test("502 and 504 are asked again, and then thrown as overload", async () => {
    await using forge = serveDouble((_, times) =>
      times < 3 ? new Response("", { status: 502 }) : json(["well"]),
    );
    expect((await createTestClient(forge.url).client.ask(question)).body).toEqual(["well"]);
    const dead = await fail(refuse(504), {}, { attempts: 2 });
    expect([dead.error.constructor, dead.asked]).toEqual([ForgeOverload, 2]);
  });

  test("another origin never gets a request, let alone the token", async () => {
    await using other = serveDouble(() => json(["stolen"]));
    for (const kind of forgeKinds) {
      const { createHeaders } = await knownForges[kind].load();
      const redirect = () => Response.redirect(`${other.url}/users`, 302);
      const { error } = await fail(redirect, { createHeaders });
      expect(error.message).toContain(`redirects to ${other.url}`);
      expect(error.message).not.toContain("secret-token");
    }
    expect(other.asked).toHaveLength(0);
  });

  test("follows three redirects of its own origin, and no fourth", async () => {
    await using forge = serveDouble((request) => {
      const hops = Number(new URL(request.url).pathname.slice(1));
      return hops === 0
        ? json(["there"])
        : Response.redirect(`${new URL(request.url).origin}/${hops - 1}`, 307);
    });
    const { client } = createTestClient(forge.url);
    expect((await client.ask({ ...question, path: "3" })).body).toEqual(["there"]);
    expect(forge.asked.every(({ headers }) => headers.has("authorization"))).toBe(true);
    const error = await caught(client.ask({ ...question, path: "4" }));
    expect(error.message).toContain("redirects more than 3 times");
  });

  test("says what is wrong with an answer that is no JSON, too slow, or none at all", async () => {
    const wrong = await fail(() => new Response("<html>Sign in</html>"));
    expect(wrong.error.message).toContain(
      "did not answer in JSON to a request for the users: check the source's url.",
    );
    const silent = () => new Promise<Response>(() => {});
    const late = await fail(silent, { timeout: 50 }, { attempts: 1 });
    expect(late.error.message).toContain("it took too long to answer");
    const nobody = await caught(createTestClient("http://127.0.0.1:1").client.ask(question));
    expect(nobody).toMatchObject({ code: "forge" });
    expect(nobody.message).toContain("The forge of source corp cannot be reached");
    const { error } = await fail(refuse(418));
    expect(error.message).toBe("The forge of source corp answered 418 to a request for the users.");
  });

  const gzip = (bytes: Uint8Array<ArrayBuffer>) => packed("gzip", bytes);
  const bomb = (text: string, times: number) => new Response(text.repeat(times));
  test.each<[string, () => Response, string]>([
    ["lists in lists", () => bomb("[", 10_000_000), "is nested deeper than 100 levels"],
    ["values without end", () => new Response(`[${"0,".repeat(2_000_000)}0]`), "more than 1000000"],
    ["bytes without end", () => bomb("x", 17_000_000), "sent more than 16 MB"],
    ["gzip bombs", () => gzip(Bun.gzipSync(Buffer.alloc(200_000_000, "["))), "more than 16 MB"],
    [
      "other codings",
      () => packed("br", brotliCompressSync("[]")),
      "in an unknown content encoding",
    ],
    ["no codings", () => gzip(Buffer.from("no gzip")), "cannot be reached"],
  ])("%s are refused in bounds", async (_, answer, reason) => {
    const before = process.memoryUsage().rss;
    const { error } = await fail(answer);
    expect(error).toBeInstanceOf(Fault);
    expect(error.message).toContain(reason);
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  });

  test("a trickle of bytes ends with the time that one answer has", async () => {
    const pull = async (stream: ReadableStreamDefaultController) => {
      await Bun.sleep(20);
      stream.enqueue(Buffer.from(" "));
    };
    const trickle = () => new Response(new ReadableStream({ pull }));
    const { error } = await fail(trickle, { timeout: 300 }, { attempts: 1 });
    expect(error.message).toContain("it took too long to answer");
  });

  test("stops when it is told to", async () => {
    const controller = new AbortController();
    const answer = () => {
      controller.abort(new Error("stopped"));
      return new Promise<Response>(() => {});
    };
    const { error } = await fail(answer, { signal: controller.signal });
    expect(error.message).toBe("stopped");
  });
});

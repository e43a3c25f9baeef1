/** A service asked by the command line: the same text, JSON and exit codes as of the data folder, and patience. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "../../../src/operations/index.ts";
import { openTestAppliance } from "../../appliance.ts";
import { openCommandLine, toFlags } from "./command-line.ts";

const root = mkdtempSync(join(tmpdir(), "roster-remote-"));
const folder = join(root, "data");
const appliance = await openTestAppliance({ folder });
const address = appliance.listen();
const commandLine = openCommandLine(appliance.clock.now);
const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
const keyFile = join(root, "key");
writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
afterAll(async () => {
  await appliance.close();
  commandLine.close();
  rmSync(root, { recursive: true });
});

async function withVariables<Result>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

test("a service's answers are those of the folder", async () => {
  for (const { name, command, example } of operations) {
    // The usage is of the account that asks.
    if (name === "get_usage") continue;
    const here = await commandLine.run(command, ...toFlags(example), "--data", folder);
    const there = await withVariables({ ROSTER_API_KEY: key }, () =>
      commandLine.run(command, ...toFlags(example), "--url", address),
    );
    expect({ code: there.code, out: there.out }).toEqual({ code: here.code, out: here.out });
  }
});

const find = (...argv: string[]) => commandLine.run("find", "ada", ...argv);

test("ROSTER_URL names the service of every command, unless a data folder is named", async () => {
  const service = { ROSTER_API_KEY: key, ROSTER_URL: address };
  const isAsked = async (more: Readonly<Record<string, string>>, ...argv: string[]) => {
    const { code, err } = await withVariables({ ...service, ...more }, () => find(...argv));
    expect([code, argv]).toEqual([0, argv]);
    return err.includes(" calls this month.");
  };
  expect(await isAsked({})).toBe(true);
  expect(await isAsked({}, "--data", folder)).toBe(false);
  expect(await isAsked({ ROSTER_DATA: folder })).toBe(false);
  expect(await isAsked({ ROSTER_DATA: folder }, "--url", address)).toBe(true);
});

test("the key comes from a file, too, and the quota is shown", async () => {
  const ran = await withVariables({ ROSTER_API_KEY_FILE: keyFile }, () => find("--url", address));
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("ada-example");
  expect(ran.err).toMatch(/^\d+( of \d+)? calls this month\.$/m);
});

test("without a key, with a wrong one, and without a service there, it says what is missing", async () => {
  const none = await find("--url", address);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("ROSTER_API_KEY is not set")]);
  const shape = await withVariables({ ROSTER_API_KEY: "rst_x" }, () => find("--url", address));
  expect([shape.code, shape.err]).toEqual([2, expect.stringContaining("is not a key")]);
  const away = await withVariables({ ROSTER_API_KEY: key }, () =>
    find("--url", "http://127.0.0.1:9"),
  );
  expect([away.code, away.err]).toEqual([5, expect.stringContaining("no Roster service answers")]);
});

test("a key that the service refuses is exit code 6, and the help says so", async () => {
  const { key: unknown } = JSON.parse((await commandLine.run("key", "new", "--json")).out);
  const ran = await withVariables({ ROSTER_API_KEY: unknown }, () => find("--url", address));
  expect([ran.code, ran.err]).toEqual([6, expect.stringContaining("invalid or revoked")]);
  const words = "6 key refused, 7 no call left";
  expect((await commandLine.run("--help")).out).toContain(words);
});

const meta = {
  ...{ requestId: "req_x", dataSource: "candidate_pool" },
  quota: { used: 1, limit: 9, month: "2026-11" },
};

describe("a service that has no time", () => {
  const serve = (answers: readonly (() => Response)[]) => {
    let calls = 0;
    const server = Bun.serve({
      ...{ port: 0, hostname: "127.0.0.1" },
      fetch: () => (answers[Math.min(calls++, answers.length - 1)] as () => Response)(),
    });
    return {
      url: `http://127.0.0.1:${server.port}`,
      calls: () => calls,
      stop: () => server.stop(),
    };
  };
  const busy = (status: number, after: string) => () => {
    const error = { code: status === 429 ? "quota_exceeded" : "internal", message: "not now" };
    const headers = { "retry-after": after };
    return Response.json({ success: false, error, meta }, { status, headers });
  };
  const answer = () => Response.json({ success: true, data: { total: 0, results: [] }, meta });
  const ask = (url: string, signal = new AbortController().signal) =>
    withVariables({ ROSTER_API_KEY: key }, () =>
      commandLine.runUntil(signal, "find", "ada", "--url", url),
    );

  test("is asked again when it says", async () => {
    const service = serve([busy(503, "1"), busy(429, "0"), answer]);
    const ran = await ask(service.url);
    service.stop();
    expect([ran.code, service.calls()]).toEqual([0, 3]);
    expect(ran.err).toContain("roster find: not now; again in 1 s");
    expect(ran.err).toContain("1 of 9 calls this month.");
  });

  test.each([
    [503, "0", 4, 5],
    [429, "3600", 1, 7],
    [429, "", 1, 7],
    [429, "soon", 1, 7],
  ])("that answers %i with Retry-After %j is asked %i times, exit code %i", async (...row) => {
    const [status, after, calls, code] = row;
    const service = serve([busy(status, after)]);
    const ran = await ask(service.url);
    service.stop();
    expect([ran.code, service.calls()]).toEqual([code, calls]);
  });

  test("is not waited for after Ctrl-C", async () => {
    const service = serve([busy(503, "50")]);
    const stop = new AbortController();
    const running = ask(service.url, stop.signal);
    while (service.calls() === 0) await Bun.sleep(5);
    await Bun.sleep(50);
    stop.abort();
    expect((await running).code).toBe(130);
    service.stop();
  });
});

describe("a hostile service", () => {
  const success =
    (data: unknown, more: object = {}) =>
    () =>
      Response.json({ success: true, data, meta, ...more });
  const refusal =
    (error: unknown, status = 400) =>
    () =>
      Response.json({ success: false, error, meta: { requestId: "req_x" } }, { status });
  const endless = (piece: string) => () => {
    const bytes = new TextEncoder().encode(piece);
    const pull = (stream: ReadableStreamDefaultController) => stream.enqueue(bytes);
    return new Response(new ReadableStream({ pull }, { highWaterMark: 1 }));
  };
  const found = { login: "ada", matched: "login", name: 5 };
  const raw = (text: string) => () => new Response(text);
  const bomb = Bun.gzipSync(Buffer.alloc(64 * 2 ** 20, " "));

  test.each<[string, () => Response, string]>([
    ["no data", success(undefined), "is not a Roster service"],
    ["data of another shape", success({ total: 1, results: "x" }), "data.results must be"],
    ["data without a list", success({ total: 1 }), "data.results is required"],
    ["a person of another shape", success({ total: 1, results: [found] }), "data.results[0]"],
    ["null in a list", success({ total: 1, results: [null] }), "data.results[0] must be"],
    ["a list for an object", success([]), "data must be an object"],
    ["no meta", raw('{"success":true,"data":{"total":0,"results":[]}}'), "is not a Roster service"],
    ["a quota of another shape", success({}, { meta: { ...meta, quota: 1 } }), "is not a Roster"],
    ["an inherited code", refusal({ code: "__proto__", message: "x" }), "is not a Roster service"],
    [
      "a code of objects",
      refusal({ code: "constructor", message: "x" }),
      "is not a Roster service",
    ],
    ["a list of codes", refusal({ code: ["not_found"], message: "x" }), "is not a Roster service"],
    [
      "an object as message",
      refusal({ code: "not_found", message: {} }),
      "is not a Roster service",
    ],
    ["an error that is a list", refusal(["not_found"]), "is not a Roster service"],
    ["null", raw("null"), "is not a Roster service"],
    ["a page", () => new Response("<html>", { status: 404 }), "is not a Roster service (HTTP 404)"],
    ["nothing", raw(""), "is not a Roster service"],
    ["lists in lists", raw("[".repeat(10_000_000)), "is not a Roster service"],
    ["a body without end", endless(" ".repeat(65_536)), "more than 16 MB"],
    [
      "a body that unfolds",
      () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
      "more than 16 MB",
    ],
    [
      "a redirect",
      () => Response.redirect(`${address}/v1/find`, 307),
      "is not a Roster service (HTTP 307: it leads to",
    ],
  ])("with %s is refused in plain words", async (_, answer, words) => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
    for (const json of [[], ["--json"]]) {
      const ran = await withVariables({ ROSTER_API_KEY: key }, () =>
        commandLine.run("find", "ada", ...json, "--url", `http://127.0.0.1:${server.port}`),
      );
      expect(ran.code).toBe(5);
      expect(json.length > 0 ? JSON.parse(ran.out).error.message : ran.err).toContain(words);
      expect(ran.err).not.toContain("TypeError");
    }
    await server.stop(true);
  });

  test("of a newer release may tell more", async () => {
    const data = { total: 0, results: [], more: { deep: [1] } };
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: success(data, { more: 1 }) });
    const ran = await withVariables({ ROSTER_API_KEY: key }, () =>
      commandLine.run("find", "ada", "--json", "--url", `http://127.0.0.1:${server.port}`),
    );
    await server.stop(true);
    expect([ran.code, JSON.parse(ran.out).data]).toEqual([0, data]);
  });
});

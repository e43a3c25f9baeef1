/** GET /v1/lookup: what it names works when it is sent back, costs no call, and is held to a rate. */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Config } from "../../src/config/config.ts";
import { type KnownTerm, termKinds } from "../../src/contract/terms.ts";
import { openTestAppliance } from "../appliance.ts";
import { openRpc } from "../interfaces/mcp/rpc.ts";
import { testNow } from "../invented-people.ts";
import { rounds } from "../long.ts";

const perMinute = 120;
const openWithQuota = (quota: Partial<Config["quota"]>) => {
  const usual = { countInvalid: false, trialDays: undefined, lookupsPerMinute: perMinute };
  return openTestAppliance({ config: { quota: { ...usual, ...quota } } });
};

const appliance = await openTestAppliance();
const key = (await appliance.newAccount("pro")).key;
afterAll(() => appliance.close());

const ask = (query: string, own = key) => {
  // Each question a minute of its own, so that the rate is not what is tried.
  appliance.clock.advance(61);
  return appliance.client.ask({ path: `/v1/lookup${query}`, key: own });
};
const terms = async (q: string, kind?: string): Promise<KnownTerm[]> => {
  const { status, body } = await ask(`?q=${encodeURIComponent(q)}${kind ? `&kind=${kind}` : ""}`);
  expect([q, status]).toEqual([q, 200]);
  return body.data.terms;
};
const message = async (query: string) => {
  const { status, body } = await ask(query);
  expect([query, status, body.error?.code]).toEqual([query, 400, "invalid_request"]);
  return body.error.message as string;
};

describe("What a look-up names", () => {
  test("200 with the best first: a name or alias, then what begins so, most people first", async () => {
    expect((await terms("Ber"))[0]).toEqual({ kind: "place", name: "Berlin, Germany", people: 2 });
    expect((await terms("k8s"))[0]).toEqual({ kind: "skill", name: "Kubernetes", people: 2 });
    expect((await terms("back"))[0]).toMatchObject({ kind: "role", name: "backend" });
    expect((await terms("Go", "skill"))[0]).toMatchObject({ name: "Go" });
    expect((await terms("Lisboa"))[0]).toMatchObject({ name: "Lisbon, Portugal", people: 1 });
  });

  test("200 with the skills and roles that a later word of their name leads to", async () => {
    const names = (await terms("learning")).map(({ name }) => name);
    expect(names).toContain("Machine Learning");
    expect(names).toContain("ml-engineer");
  });

  test("200 with what a misspelling meant, when nothing begins so", async () => {
    expect((await terms("Berlni"))[0]).toMatchObject({ name: "Berlin, Germany" });
    expect((await terms("kuberntes"))[0]).toMatchObject({ name: "Kubernetes" });
    expect((await terms("bakcend"))[0]).toMatchObject({ kind: "role", name: "backend" });
    expect(await terms("zzyzxqua")).toEqual([]);
  });

  test("200 with repositories by name, owner and either's beginning, as they are written", async () => {
    const commons: KnownTerm = { kind: "repository", name: "example-org/commons", people: 11 };
    const bens: KnownTerm = { kind: "repository", name: "Ben-Sample/workbench", people: 1 };
    const owned = ["example-org/commons", "example-org/", "example"];
    for (const q of ["commons", "COMM", "commosn", ...owned])
      expect((await terms(q, "repository"))[0]).toEqual(commons);
    expect(await terms("ben-sample/WORK")).toEqual([bens]);
    expect(await terms("workbench", "repository")).toContainEqual(bens);
    expect(await terms("zzz/other", "repository")).toEqual([]);
    // Nobody has committed to it.
    const near = await terms("kira-bare/workbench", "repository");
    expect(near.map(({ name }) => name)).not.toContain("kira-bare/workbench");
  });

  test("200 without a text: the names with the most people, of one kind or of all", async () => {
    const { search } = appliance.modules;
    for (const kind of [...termKinds, undefined]) {
      const { status, body } = await ask(`?limit=50${kind ? `&kind=${kind}` : ""}`);
      const found: readonly KnownTerm[] = body.data.terms;
      expect([kind, status]).toEqual([kind, 200]);
      expect(found.length).toBeGreaterThan(5);
      expect(new Set(found.map((term) => term.kind)).size).toBe(kind ? 1 : 4);
      const people = found.map((term) => term.people);
      expect(people).toEqual([...people].sort((a, b) => b - a));
      const least = people.at(-1) ?? 0;
      // No name by any letter has more people.
      for (const text of "abcdegiklmnorstu") {
        const others = await search.lookUp({ text, kind, limit: 50 });
        const missing = others.filter((term) => term.people > least).map(({ name }) => name);
        expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(missing));
      }
    }
    expect((await ask("?kind=place")).body.data.terms[0].name).toBe("Worldwide");
  });

  test("200 with one kind only, and at most so many", async () => {
    const kinds = new Set((await terms("s", "role")).map(({ kind }) => kind));
    expect([...kinds]).toEqual(["role"]);
    for (const [query, count] of [
      ["?q=s", 10],
      ["?q=s&limit=3", 3],
      ["?q=s&limit=50", 50],
    ] as const)
      expect((await ask(query)).body.data.terms).toHaveLength(count);
  });

  test("every name works when it is sent back, and has as many people", async () => {
    const fields = {
      ...({ place: "location", skill: "skills", role: "role" } as const),
      repository: "repositories",
    };
    const tried = new Set<string>();
    const letters = fc.string({ unit: fc.constantFrom(..."abcdegiklmnorstu"), maxLength: 3 });
    const places = ["Ber", "San ", "new y", "Ge"];
    const repositories = ["work", "ada-example/", "BEN-SAMPLE/WO", "example-org", "commnos"];
    const beginning = fc.constantFrom("k8s", "front", "c++", ".n", ...places, ...repositories);
    const text = fc.oneof(letters, beginning, fc.string({ unit: "binary", maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(text, async (q) => {
        const { search } = appliance.modules;
        const known = await search.lookUp({ text: q, kind: undefined, limit: 50 });
        for (const { kind, name, people } of known) {
          if (tried.has(kind + name)) continue;
          tried.add(kind + name);
          const location = kind === "place" ? name : "Worldwide";
          const asked = kind === "skill" || kind === "repository" ? [name] : name;
          const page = { maxResults: 1, offset: 0 };
          const found = await search.find({ location, [fields[kind]]: asked, ...page });
          const { total, locationSuggestions, unknownSkills, unknownRepositories } = found;
          const unknown = [locationSuggestions, unknownSkills, unknownRepositories];
          expect([kind, name, total, ...unknown]).toEqual([kind, name, people, undefined, [], []]);
        }
      }),
      { numRuns: rounds(1000) },
    );
    expect(tried.size).toBeGreaterThan(500);
  });
});

describe("What a look-up refuses", () => {
  test("400 for a query that is blank, too long, doubled, unknown or of the wrong kind", async () => {
    expect(await message("?q=")).toContain("q must be a text of 1 to 200 characters");
    expect(await message("?q=%20")).toContain("q must be a text of 1 to 200 characters");
    expect(await message(`?q=${"x".repeat(201)}`)).toContain("q must be a text");
    expect(await message("?q=a&q=b")).toBe("q is in the query twice; send it once");
    expect(await message("?q=a&kinds=role")).toBe('unknown field "kinds"; did you mean "kind"?');
    expect(await message("?q=a&__proto__=x")).toContain('unknown field "__proto__"');
    expect(await message("?q=a&kind=city")).toBe(
      'kind must be one of place, skill, role, repository, got "city"',
    );
    for (const limit of ["0", "51", "2.5", "1e1", "", "ten", "%2010"]) {
      expect(await message(`?q=a&limit=${limit}`)).toContain("limit must be a whole number");
    }
  });

  test("400 for bytes that are no text", async () => {
    const encoding = "path and query must be percent-encoded UTF-8, without U+FFFD";
    expect(await message("?q=%ff")).toBe(encoding);
    expect(await message("?%ff=x")).toBe(encoding);
    expect(await message("?q=%00")).toContain("without control characters");
  });

  test("200 for a plus or a percent-encoded space alike, and for empty pairs", async () => {
    const named = async (query: string) => (await ask(query)).body.data.terms[0].name;
    expect(await named("?q=San+Fran&&")).toBe("San Francisco, California, United States");
    expect(await named("?kind=place&q=San%20Fran")).toBe(
      "San Francisco, California, United States",
    );
  });
});

describe("What a look-up costs", () => {
  test("no call, whatever it is answered; meta.quota shows what others cost", async () => {
    const own = (await appliance.newAccount("pro")).key;
    await appliance.client.get("ada-example", own);
    for (const query of ["?q=Ber", "?q=zzyzxqua", "?q=", "?q=a&kind=city"]) {
      const { body, headers } = await ask(query, own);
      expect(body.meta.quota).toMatchObject({ used: 1, limit: 1000 });
      expect(headers.get("ratelimit")).toContain('"month";r=999');
    }
  });

  test("an exhausted account, or one whose trial is over, may still look up", async () => {
    const other = await openWithQuota({ countInvalid: true, trialDays: 14 });
    const limited = (await other.newAccount("free", { callsPerMonth: 1 })).key;
    const statuses = async () => {
      const get = await other.client.get("ada-example", limited);
      const lookup = await other.client.ask({ path: "/v1/lookup?q=Ber", key: limited });
      const malformed = await other.client.ask({ path: "/v1/lookup?q=", key: limited });
      return [get.status, lookup.status, malformed.status];
    };
    expect(await statuses()).toEqual([200, 200, 400]);
    expect(await statuses()).toEqual([429, 200, 400]);
    other.clock.advance(15 * 86_400);
    expect(await statuses()).toEqual([429, 200, 400]);
    await other.close();
  });
});

describe("The rate of look-ups", () => {
  const look = (own: string) => appliance.client.ask({ path: "/v1/lookup?q=Ber", key: own });

  test("429 with Retry-After beyond it, uncounted, until the minute is over", async () => {
    appliance.clock.set(testNow);
    const own = (await appliance.newAccount("pro")).key;
    for (let count = 0; count < perMinute; count++) expect((await look(own)).status).toBe(200);
    appliance.clock.advance(20);
    const { status, body, headers } = await look(own);
    expect([status, body.error.code, headers.get("retry-after")]).toEqual([
      429,
      "quota_exceeded",
      "40",
    ]);
    expect(body.error.message).toBe(
      "Too many look-ups: one account may make 120 a minute. Try again in 40 seconds.",
    );
    expect(body.meta.quota.used).toBe(0);
    // Other calls and other accounts go on.
    expect((await appliance.client.get("ada-example", own)).status).toBe(200);
    expect((await look((await appliance.newAccount("pro")).key)).status).toBe(200);
    appliance.clock.advance(40);
    expect((await look(own)).status).toBe(200);
  });

  test("counts malformed ones too, and follows the setting", async () => {
    const other = await openWithQuota({ lookupsPerMinute: 2 });
    const own = (await other.newAccount("pro")).key;
    const statuses = [];
    for (const path of ["/v1/lookup?q=a", "/v1/lookup?q=", "/v1/lookup?q=a"]) {
      statuses.push((await other.client.ask({ path, key: own })).status);
    }
    expect(statuses).toEqual([200, 400, 429]);
    await other.close();
  });

  test("holds one address to five times as much, over a socket, through REST and /mcp alike", async () => {
    const other = await openWithQuota({ lookupsPerMinute: 2 });
    const address = other.listen();
    const rest = async (own: string) => {
      const response = await fetch(`${address}/v1/lookup?q=a`, { headers: { "x-api-key": own } });
      await response.text();
      return response.status;
    };
    const statuses: number[] = [];
    for (let account = 0; account < 5; account++) {
      const own = (await other.newAccount("pro")).key;
      statuses.push(await rest(own), await rest(own));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const last = (await other.newAccount("pro")).key;
    expect(await rest(last)).toBe(429);
    const { call } = openRpc(fetch, last, address);
    const { result } = await call("lookup_terms", { q: "a" });
    expect(result._meta["roster/error"]).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("one address may make 10 a minute"),
      retryAfterSeconds: 60,
    });
    await other.close();
  });
});

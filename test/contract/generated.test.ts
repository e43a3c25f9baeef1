/**
 * Thousands of requests made from the schemas: valid ones, ones that are nearly so, and noise. None may be
 * answered 500, and each answer must fit the published document. The seed is printed and can be given.
 */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../src/contract/limits.ts";
import { type SearchRequest, sortOrders } from "../../src/contract/requests.ts";
import type { Ask } from "../api-client.ts";
import { openTestAppliance } from "../appliance.ts";
import { isLong, rounds } from "../long.ts";
import { drawSeed } from "../random.ts";

const seed = drawSeed("generated requests");
const runs = isLong ? 10_000 : 1000;

const quota = { countInvalid: false, trialDays: undefined, lookupsPerMinute: 100_000 };
const appliance = await openTestAppliance({ config: { quota } });
const key = (await appliance.newAccount("enterprise", { callsPerDay: "unlimited" })).key;
afterAll(() => appliance.close());

const word = fc.constantFrom(
  ...["Berlin", "germany", "Cambridge, UK", "Remote", "Berlni", "Go", "k8s", "React", "c++"],
  ...["backend", "quantum toaster", "ada-example", "__proto__", "%00"],
);
const text = fc.oneof(
  { weight: 3, arbitrary: word },
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", " ", "\u0000", "\ud800", "\u202e", "'; DROP TABLE pool;--", "a".repeat(5000)),
);
const number = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.double(),
  fc.constantFrom(0, -0, 1e21, Number.MAX_SAFE_INTEGER, 5e-324, 0.1),
);
const anything = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>,
);

/** One field as the schema wants it. */
const valid: Record<keyof typeof SearchRequest.properties, fc.Arbitrary<unknown>> = {
  location: word,
  role: fc.constantFrom("backend", "frontend", "SRE", "fullstack", "cto"),
  skills: fc.array(word, { maxLength: limits.skillsMax }),
  languages: fc.array(word, { maxLength: limits.languagesMax }),
  repositories: fc.array(word, { maxLength: limits.repositoriesMax }),
  minExperienceYears: fc.double({ min: 0, max: limits.experienceYearsMax, noNaN: true }),
  // No minimum is above it.
  maxExperienceYears: fc.constant(limits.experienceYearsMax),
  company: word,
  sort: fc.constantFrom(...sortOrders),
  // With other lists, results lack fields that the schema requires.
  fields: fc.constant([]),
  activeSince: fc.constantFrom("1999-12-31", "2026-10-01", "2026-10-24"),
  isHireable: fc.boolean(),
  strictSkills: fc.boolean(),
  maxResults: fc.integer({ min: 1, max: limits.resultsMax }),
  offset: fc.integer({ min: 0, max: limits.offsetMax }),
};
const { location, ...optional } = valid;
const validSearch = fc.record({ location, ...optional }, { requiredKeys: ["location"] });
/** Each field right or anything at all, and now and then one that does not exist. */
const nearlyValid = fc.record(
  {
    ...Object.fromEntries(
      Object.entries(valid).map(([name, arbitrary]) => [
        name,
        fc.oneof({ weight: 4, arbitrary }, anything),
      ]),
    ),
    skill: anything,
  },
  { requiredKeys: [] },
);
const mostlyValid = fc.oneof({ weight: 2, arbitrary: validSearch }, nearlyValid);
const deep = fc
  .integer({ min: 1, max: 20_000 })
  .map((levels) => `{"location":${"[".repeat(levels)}${"]".repeat(levels)}}`);
const login = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("ada-example", "ben-sample") },
  text,
);
const body = fc.oneof(
  { weight: 5, arbitrary: validSearch },
  { weight: 5, arbitrary: nearlyValid },
  { weight: 2, arbitrary: fc.record({ username: login }) },
  {
    weight: 2,
    arbitrary: fc.record({ username: anything, login: anything }, { requiredKeys: [] }),
  },
  fc.jsonValue() as fc.Arbitrary<unknown>,
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  { weight: 1, arbitrary: deep },
  fc.constantFrom("", "{", "[]", '{"location":1e309}', '{"location":"a","location":5}'),
);

const segment = fc.oneof(
  word.map(encodeURIComponent),
  fc.string({ unit: "grapheme-ascii", maxLength: 120 }).map((raw) => raw.replace(/[?#]/g, "")),
  fc.constantFrom("%zz", "%ff", "%2e%2e", "..%2f", "%252e", "%", "%c3%28", "a%2fb", "~", "@"),
);
const lookup = fc
  .array(fc.tuple(fc.constantFrom("q", "q", "kind", "limit", "__proto__", "x"), segment), {
    maxLength: 3,
  })
  .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("/v1/search", "/v1/profile/analyze"),
  },
  { weight: 3, arbitrary: segment.map((login) => `/v1/users/${login}`) },
  { weight: 2, arbitrary: lookup.map((query) => `/v1/lookup?${query}`) },
  { weight: 1, arbitrary: segment.map((rest) => `/v1/${rest}`) },
  { weight: 1, arbitrary: segment.map((query) => `/v1/search?${query}`) },
);
const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.record({ "content-type": fc.constantFrom("text/plain", "application/json;charset=x", "*/*") }),
  fc.record({ "content-encoding": fc.constantFrom("gzip", "identity", "br") }),
  fc.record({ authorization: fc.constantFrom("Bearer x", "Basic x", "Bearer") }),
  fc.record({ accept: fc.constantFrom("text/html", "application/xml", "") }),
);
const anyMethod = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD");

/** Mostly with the method that the path takes: else nearly everything would be 405. */
const request = fc
  .record({ path, headers, body, anyMethod, isFitting: fc.nat(9) })
  .map(({ path, headers, body, anyMethod, isFitting }): Ask => {
    const fitting = /^\/v1\/(users|lookup)/.test(path) ? "GET" : "POST";
    const method = isFitting < 9 ? fitting : anyMethod;
    const bare = method === "GET" || method === "HEAD";
    return { method, path, headers, ...(bare ? {} : { body }) };
  });
const isKeyed = fc.nat(9).map((digit) => digit < 9);

describe("Generated requests", () => {
  test(`${runs} of them, seed ${seed}: none is answered 500, each answer fits its schema`, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(request, isKeyed, async (ask, isKeyed) => {
        const { status } = await appliance.client.ask({ ...ask, ...(isKeyed ? { key } : {}) });
        const kind = `${status}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: runs / 2, seed },
    );
    await fc.assert(
      fc.asyncProperty(mostlyValid, async (body) => {
        const { status } = await appliance.client.search(body, key);
        seen.set(`search ${status}`, (seen.get(`search ${status}`) ?? 0) + 1);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: runs / 2, seed },
    );
    const tally = [...seen].sort().map(([kind, count]) => `${kind}: ${count}`);
    process.stderr.write(`seed ${seed}; ${tally.join(", ")}\n`);
    // Else the generators would have gone astray, and the test would say nothing.
    for (const kind of ["200", "400", "401", "404", "405", "415", "search 200", "search 400"]) {
      expect(seen.get(kind) ?? 0).toBeGreaterThan(10);
    }
  }, 400_000);

  test("every valid search is answered 200", async () => {
    await fc.assert(
      fc.asyncProperty(validSearch, async (body) => {
        const fixed = { ...body, skills: [], languages: [] };
        expect((await appliance.client.search(fixed, key)).status).toBe(200);
      }),
      { numRuns: rounds(300), seed },
    );
  });
});

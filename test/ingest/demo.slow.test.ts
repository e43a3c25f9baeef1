import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeDemo } from "../../scripts/seeding/demo/people.ts";
import { demoCount, demoSeed } from "../../scripts/seeding/demo.ts";
import { createAssessor } from "../../src/analysis/analysis.ts";
import { frequencyLabels, qualityLabels, tierLabels } from "../../src/contract/people/developer.ts";
import { Facts } from "../../src/contract/people/facts.ts";
import { Value } from "../../src/contract/schema.ts";
import { createJudge, demoAsOf, type Judge, loadDemo } from "../../src/ingest/ingest.ts";
import { parseFacts } from "../../src/ingest/parse-facts.ts";
import { openPlaces, type Places } from "../../src/places/places.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { isLong } from "../long.ts";
import { invented } from "../pool/invented.ts";
import { readRankedRows } from "../pool/ranked-rows.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
const seed = join(import.meta.dir, "../../seed/demo.jsonl.zst");
const lines = Bun.zstdDecompressSync(readFileSync(seed)).toString("utf8").split("\n").slice(0, -1);
const everybody = lines.map((line) => JSON.parse(line) as Facts);

describe("the demo file", () => {
  test("each line is what import takes", () => {
    // In the gate every fifth.
    for (const line of lines.filter((_, at) => isLong || at % 5 === 0)) {
      expect(parseFacts(line)).not.toHaveProperty("complaint");
      expect(Value.Check(Facts, JSON.parse(line))).toBe(true);
    }
  });

  test("is what its generator makes", () => {
    const sample = makeDemo(demoSeed, 300).slice(0, 300);
    expect(sample.map(({ facts }) => facts)).toEqual(everybody.slice(0, 300));
    expect(everybody.filter((facts) => facts.class === undefined).length).toBe(demoCount);
  });

  test("names nobody twice, and says of everybody that they are an example", () => {
    const logins = new Set(everybody.map(({ login }) => login.toLowerCase()));
    expect(logins.size).toBe(everybody.length);
    for (const { login, source, profile } of everybody) {
      expect(login).toEndWith("-example");
      expect(source).toBe("demo");
      if (profile.bio) expect(profile.bio).toEndWith("Fictitious demo person.");
    }
  });

  test("knows no address that could be somebody's", () => {
    const reserved = /^(?:[a-z0-9-]+\.)*(?:example|test|example\.(?:com|org|net))$/;
    const text = lines.join("\n");
    const patterns = [/[a-z]+:\/\/([^/"]+)/g, /[\w.+-]@([\w.-]+)/g];
    const hosts = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
    const strange = hosts.map(([, host]) => host ?? "").filter((host) => !reserved.test(host));
    // Packages such as npm:@angular/core are no addresses: a colon stands before their @.
    expect([...new Set(strange)]).toEqual([]);
    expect(hosts.length).toBeGreaterThan(everybody.length);
  });

  test("lies before its own day", () => {
    for (const { commits, evidence, repositories, profile } of everybody) {
      const months = [commits?.volume ?? {}, ...evidence.map((piece) => piece.months)];
      for (const month of months.flatMap(Object.keys))
        expect(month < demoAsOf.slice(0, 7)).toBe(true);
      for (const { pushedAt = "" } of repositories) expect(pushedAt < demoAsOf).toBe(true);
      expect((profile.updatedAt ?? "") < demoAsOf && (profile.createdAt ?? "") < demoAsOf).toBe(
        true,
      );
    }
  });

  test("has the three answers to hireable, and people without a place, bio, or commits", () => {
    const share = (has: (facts: Facts) => boolean) =>
      everybody.filter(has).length / everybody.length;
    for (const answer of [true, false, undefined]) {
      expect(share(({ profile }) => profile.hireable === answer)).toBeGreaterThan(0.2);
    }
    expect(share(({ profile }) => profile.location === undefined)).toBeGreaterThan(0.05);
    expect(share(({ profile }) => profile.bio === undefined)).toBeGreaterThan(0.1);
    expect(share(({ commits }) => commits === undefined)).toBeGreaterThan(0.01);
    expect(share((facts) => facts.class === "bot")).toBeGreaterThan(0);
    expect(share((facts) => facts.class === "assistant")).toBeGreaterThan(0);
  });
});

describe("the demo pool", () => {
  const pool = openSqlitePool(":memory:", { now });
  let places: Places;
  let judge: Judge;

  beforeAll(async () => {
    places = openPlaces();
    judge = createJudge({ assess: createAssessor(createVocabulary()), places, asOf: demoAsOf });
    await loadDemo({ pool, judge });
  }, 300_000);
  afterAll(() => pool.close());

  test("holds everybody, and leaves bots and assistants out of search", async () => {
    expect(await pool.size()).toBe(lines.length);
    expect((await readRankedRows(pool)).length).toBe(demoCount);
    expect(await pool.sources()).toMatchObject([{ source: "demo", developers: lines.length }]);
  });

  test("shows the person of the examples: a strong backend developer in Berlin", async () => {
    const card = (await pool.findCards(["ada-example"]))[0];
    expect(card).toMatchObject({ location: "Berlin, Germany", hireable: "Yes" });
    expect(card?.keywords).toEqual(expect.arrayContaining(["Go", "Kubernetes"]));
    const analysis = (await pool.findAnalyses(["ada-example"]))[0];
    expect(analysis?.scores.role).toBe("backend");
    expect(analysis?.proficiency.level).toBe("Expert");
    expect(analysis?.asOf).toBe(demoAsOf);
  });

  const placeOf = (text: string) => places.find(text)[0]?.id ?? "";
  const count = async (text: string, has: { role?: string; concept?: string }) => {
    const within = placeOf(text);
    return (await readRankedRows(pool)).filter(
      ({ standing }) =>
        standing.places.some((id) => id === within || places.ancestors(id).includes(within)) &&
        (!has.role || standing.roles.some(({ role, match }) => role === has.role && match >= 25)) &&
        (!has.concept || standing.concepts.some(({ concept }) => concept === has.concept)),
    ).length;
  };

  test.each([
    ["Berlin", { role: "backend" }, 20],
    ["Berlin", { concept: "go" }, 5],
    ["Berlin", { concept: "kubernetes" }, 3],
    ["Munich", {}, 20],
    ["Bavaria", { role: "frontend" }, 5],
    ["Germany", { concept: "go" }, 30],
    ["Germany", { concept: "react" }, 30],
    ["United States", { concept: "kubernetes" }, 40],
    ["United States", { concept: "react" }, 80],
  ])("finds people for %s %o", async (place, has, least) => {
    expect(await count(place, has)).toBeGreaterThanOrEqual(least);
  });

  test("spreads over some sixty countries and hundreds of cities", async () => {
    const all = (await readRankedRows(pool)).flatMap(({ standing }) => standing.places);
    const found = [...new Set(all)].map((id) => places.byId(id));
    const cities = found.filter((place) => place?.kind === "city");
    const countries = new Set(found.map((place) => place?.country).filter(Boolean));
    expect(countries.size).toBeGreaterThanOrEqual(60);
    expect(cities.length).toBeGreaterThanOrEqual(300);
  });

  test("has people under each label of each scale, and of each planted role", async () => {
    const rows = await readRankedRows(pool);
    const cards = await pool.findCards(rows.map(({ standing }) => standing.login));
    const seen = (of: (card: NonNullable<(typeof cards)[number]>) => string[]) =>
      new Set<string>(cards.flatMap((card) => (card ? of(card) : [])));
    const frequencies = seen((card) => [card.commit_frequency_label]);
    expect(frequencies).toEqual(new Set(frequencyLabels));
    const qualities = seen((card) => [card.commit_message_quality_label]);
    expect(qualities).toEqual(new Set(qualityLabels));
    const tiers = seen((card) => card.top_oss_contributions.map(({ tier_label }) => tier_label));
    expect(tiers).toEqual(new Set(tierLabels));
  });

  test("is found again by the analysis: nine of ten planted roles lead", () => {
    const leadership =
      /^(cto|vp-|head-|director-|engineering-manager|tech-lead|product-|solutions-)/;
    const planted = makeDemo(demoSeed, 500).filter(
      ({ facts, role }) => role && (facts.commits?.total ?? 0) >= 10 && facts.evidence.length > 0,
    );
    const found = planted.filter(({ facts, role }) => {
      const { roleMatch } = judge(facts).analysis;
      return roleMatch.find((match) => !leadership.test(match.role))?.role === role;
    });
    expect(found.length / planted.length).toBeGreaterThan(0.9);
  });

  test("is removed by the first real import", async () => {
    const real = await pool.beginImport("git");
    await real.put([invented({ login: "somebody", source: "git" })]);
    await real.removeSource("demo");
    expect(await real.commit()).toMatchObject({ added: 1, removed: lines.length });
    expect(await pool.size()).toBe(1);
  }, 300_000);
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Facts } from "../../src/contract/people/facts.ts";
import { listNamedRoles } from "../../src/contract/people/profile-analysis.ts";
import { rounds } from "../long.ts";
import { anyone } from "./anyone.ts";
import { berlin, commits, evidence, judged, monthsUpTo, someone } from "./someone.ts";

const withProfile = (profile: Facts["profile"], more: Partial<Facts> = {}) =>
  judged(someone({ profile, ...more }));

const joined = (day: string) => ({ profile: { createdAt: `${day}T00:00:00Z` } });
const began = (first: string) => ({
  commits: commits({ volume: { [first.slice(0, 7)]: 3 }, first }),
});

test.each<[string, Partial<Facts>, number, string, string]>([
  ["counts from the forge account", joined("2016-11-21"), 10, "forge", ""],
  ["is told to be derived from a commit", began("2021-05-21"), 5.5, "first commit", "derived from"],
  ["is none from before there was git", began("1998-05-21"), 21.9, "first commit", ""],
  ["is none from before there were forges", joined("0001-01-01"), 27.9, "forge", ""],
  ["is 0 without a source", {}, 0, "none", ""],
  ["is none of the future", joined("2027-01-01"), 0, "none", "account is dated after"],
])("platform experience %s", (_, about, years, source, caveat) => {
  const { card, analysis, standing } = judged(someone(about));
  expect([card.platform_experience, standing.experienceTenths]).toEqual([years, years * 10]);
  expect([analysis.profile.experienceSource]).toEqual([source] as never);
  expect(analysis.summary.caveats.join()).toContain(caveat);
});

describe("the profile score", () => {
  test("gives 60 of 85 for what is described, without followers and stars", () => {
    const profile = { bio: "x", blog: "https://example.org", location: "Berlin" };
    const { analysis } = judged(someone({ profile }), { places: [berlin] });
    // bio, location and link: 45 of the 85 that can be known; no skills, no tenure.
    expect(analysis.scores.scores.profile).toBe(Math.round((100 * 45) / 85));
  });

  test("leaves out what git cannot know, and counts it where a forge or a people file says it", () => {
    const profile = (about: Partial<Facts>, places = 0) =>
      judged(someone({ source: "git", ...about }), { places: places ? [berlin] : [] });
    const terms = (...of: Parameters<typeof profile>) =>
      Object.fromEntries(
        profile(...of).analysis.explanation.profile.map(({ term, value }) => [term, value]),
      );
    expect(Object.keys(terms({})).sort()).toEqual(["described skills", "tenure"]);
    const placed = { profile: { location: "Berlin" } };
    expect(terms(placed, 1)).toMatchObject({ location: 100 });
    expect(terms(placed, 1)["bio"]).toBeUndefined();
    // A forge was asked: what is not there was left out.
    const asked = { profile: { createdAt: "2020-01-01T00:00:00Z" } };
    expect(terms(asked)).toMatchObject({ bio: 0, location: 0, link: 0 });
    expect(Object.keys(terms({ source: "github.com" }))).toContain("bio");
  });

  test("takes followers and stars on a logarithmic scale when known", () => {
    const none = withProfile({ followers: 0 }).standing.profile;
    expect(none).toBe(0);
    const full = withProfile({ followers: 10_000 }).analysis.explanation.profile[0];
    expect(full).toMatchObject({ term: "followers", value: 100 });
    expect(full?.cap).toBeCloseTo((100 * 7.5) / 92.5, 1);
  });
});

test("the semantic percentage has one decimal, and is left out below 10 eligible commits", () => {
  const of = (eligible: number, matches: number) =>
    judged(someone({ commits: commits({ semantic: { eligible, matches } }) })).card
      .semantic_commit_percentage;
  expect([of(9, 9), of(10, 9), of(12, 7), of(10, 0)]).toEqual([undefined, 90, 58.3, 0]);
});

test("message quality carries its share, n and Wilson bound", () => {
  const quality = { n: 20, good: 18, withBody: 4, withReference: 3, withReason: 12 };
  const facts = someone({ commits: commits({ volume: { "2026-10": 20 }, quality }) });
  expect(judged(facts).analysis.commitQuality).toEqual({
    label: "Excellent",
    ...quality,
    share: 0.9,
    lowerBound: 0.699,
    semantic: { eligible: 0, matches: 0 },
  });
});

test("an e-mail address is shown only where it is published; the profile's own is primary", () => {
  const emails = [
    { address: "work@example.org", sources: ["commits"], published: false },
    { address: "old@example.org", sources: ["commits", "import"], published: true },
    { address: "ann@example.org", sources: ["profile"], published: true },
  ];

  const { facts: _, ...shown } = judged(someone({ emails }));
  expect(shown.analysis.emails.emails).toEqual([
    { address: "old@example.org", sources: ["commits", "import"], isPrimary: false },
    { address: "ann@example.org", sources: ["profile"], isPrimary: true },
  ]);
  expect(shown.card.email).toBe("ann@example.org");
  expect(JSON.stringify(shown)).not.toContain("work@example.org");
  expect("email" in judged(someone({ emails: emails.slice(0, 1) })).card).toBe(false);
});

describe("repositories", () => {
  const own = (name: string, stars?: number, count?: number) => ({
    name,
    owned: true,
    ...(stars !== undefined && { stars }),
    ...(count !== undefined && { commits: count }),
  });

  test("own ones: most own commits first, then most stars; five on a card, ten in the analysis", () => {
    const repositories = [
      ...[own("e"), own("d", 0, 1), own("c", 0, 9), own("b", 7), own("a", 90), own("f")],
      { ...own("fork", 5000), fork: true },
    ];
    const { card, analysis } = judged(someone({ repositories }));
    expect(card.top_repositories.map(({ name }) => name).join()).toBe("c,d,a,b,e");
    expect(analysis.repositories.top).toHaveLength(6);
    expect("stars" in (card.top_repositories[4] ?? {})).toBe(false);
    expect(analysis.repositories.stars).toBe(97);
  });

  test("others': most commits first, whatever the fame, none without commits", () => {
    const other = (name: string, count: number, stars: number) => {
      return { name, owned: false, commits: count, stars };
    };
    const repositories = [
      ...[other("x/small", 99, 5), other("x/big", 2, 1500)],
      ...[other("x/bigger", 8, 1000), other("x/watched", 0, 90_000)],
    ];
    expect(judged(someone({ repositories })).card.top_oss_contributions).toEqual([
      { repository: "x/small", tier_label: "Emerging", commits: 99 },
      { repository: "x/bigger", tier_label: "Major", commits: 8 },
      { repository: "x/big", tier_label: "Major", commits: 2 },
    ]);
  });
});

describe("the summary", () => {
  test("begins with what the person did most: the main language, then most commits", () => {
    const pieces = [
      { ...evidence("manifest", "npm:react", { "2026-10": 1 }), repositories: ["ann/shop"] },
      { ...evidence("language", "TypeScript", { "2016-10": 1275 }), lines: 76_615 },
      { ...evidence("language", "HTML", { "2016-10": 20 }), lines: 90_000 },
      evidence("import", "npm:react-dom", { "2026-10": 40 }),
      evidence("product", "repository:ann/shop", { "2026-10": 1400 }),
      evidence("import", "npm:pg", { "2026-10": 300 }),
    ];
    const { analysis, card } = judged(someone({ evidence: pieces }));
    expect(analysis.summary.strengths.slice(0, 3)).toEqual([
      "TypeScript: 1,275 commits, 76,615 lines",
      "shop: 1,400 commits to its source code",
      "PostgreSQL: 300 commits to files that use it",
    ]);
    expect(card.keywords.indexOf("TypeScript")).toBeGreaterThan(card.keywords.indexOf("shop"));
    const react = analysis.repositories.skills.find(({ skill }) => skill === "React");
    expect(react?.evidence).toEqual([
      "40 commits to files that use it",
      "1 commit to manifests that name it in ann/shop",
      "packages npm:react-dom, npm:react",
    ]);
  });

  test("tells good messages from those with a reason, and of assistants only what is known", () => {
    const volume = monthsUpTo("2026-10", 12, 60);
    const quality = { n: 750, good: 682, withBody: 400, withReference: 300, withReason: 279 };
    const assisted = { total: 5, volume: { "2026-10": 5 }, agents: { claude: 5 } };
    const { summary, assistance } = judged(
      someone({ commits: commits({ volume, quality, assisted }) }),
    ).analysis;
    expect(summary.strengths).toContain("Excellent commit messages: 682 of 750 are good");
    const known = "5 of 720 counted commits say that an assistant took part (Claude 5)";
    expect(summary.caveats).toContain(known);
    const stated = "Commits and their notes state this; it is not proved";
    expect(assistance?.evidence).toEqual([known, stated]);
    expect(assistance?.scoreLow).toBeLessThan(assistance?.scoreHigh ?? 0);
    expect(JSON.stringify(summary)).not.toMatch(/say why|may be assisted/);
  });

  test("what notes state to be without an assistant is told, and leaves the unknown part", () => {
    const volume = monthsUpTo("2026-10", 12, 10);
    const silent = judged(someone({ commits: commits({ volume }) })).analysis.assistance;
    const unassisted = { total: 30, volume: { "2026-08": 10, "2026-09": 10, "2026-10": 10 } };
    const noting = someone({ commits: commits({ volume, unassisted }) });
    const noted = judged(noting).analysis.assistance;
    expect([silent?.unassisted, silent?.unmarked, silent?.unknown]).toEqual([0, 120, 100.8]);
    expect([noted?.unassisted, noted?.unmarked, noted?.unknown]).toEqual([30, 90, 75.6]);
    expect(noted?.scoreLow).toBeGreaterThan(silent?.scoreLow ?? 100);
    expect(noted?.scoreHigh).toBe(silent?.scoreHigh ?? 0);
    expect(noted?.evidence).toEqual([
      "None of 120 counted commits says that an assistant took part",
      "30 of 120 counted commits have a note by which no assistant wrote a line",
      "Commits and their notes state this; it is not proved",
    ]);
    expect(judged(noting, { asOf: "2026-09-30" }).analysis.assistance?.unassisted).toBe(20);
  });

  test("where every commit has a mark or a note, nothing is unknown", () => {
    const volume = monthsUpTo("2026-10", 2, 4);
    const assisted = { total: 2, volume: { "2026-10": 2 }, agents: { claude: 2 } };
    const unassisted = { total: 6, volume: { "2026-09": 4, "2026-10": 2 } };
    const known = judged(someone({ commits: commits({ volume, assisted, unassisted }) }));
    const { assistance } = known.analysis;
    expect([assistance?.unmarked, assistance?.unknown]).toEqual([0, 0]);
    expect(assistance?.scoreLow).toBe(assistance?.scoreHigh ?? 0);
  });

  const ci = evidence("path", "ci", { "2026-10": 10 });
  const of = (total: number, volume: Record<string, number> = { "2026-10": total }) =>
    judged(someone({ evidence: [ci], commits: commits({ volume, last: "2026-10-30" }) })).analysis;

  test("names the first role with its match and its evidence, however weak", () => {
    expect([of(50).roleMatch[0]?.score, of(53).roleMatch[0]?.score]).toEqual([25, 24]);
    const [fair, weak] = ["25 of 100 (fair)", "24 of 100 (weak)"];
    const start = "Little evidence. DevOps Engineer,";
    expect(of(50).summary.text).toStartWith(`${start} ${fair}: ci files in 10 of 50 commits. `);
    expect(of(53).summary.text).toStartWith(`${start} ${weak}: ci files in 10 of 53 commits. `);
    expect(judged(someone()).analysis.summary.text).toStartWith(
      "Little evidence. No role has any evidence. The score",
    );
  });

  test("says of the inactive since when they are", () => {
    const about = { volume: { "2021-03": 2285 }, last: "2021-03-09" };
    expect(judged(someone({ commits: commits(about) })).analysis.summary.text).toContain(
      "2,285 commits. Current activity: 0 a month, Nov 2025 to Oct 2026 (Inactive; last active Mar 2021).",
    );
    expect(of(50).summary.text).not.toContain("No commits");
    // The month of as-of is in no window.
    expect(of(3, { "2026-11": 3 }).summary.text).not.toContain("No commits");
  });

  test("goes with a tech stack over all skills where no role stands out", () => {
    const go = evidence("language", "Go", { "2026-10": 40 });
    const rust = evidence("language", "Rust", { "2026-10": 1000 });
    const volume = { "2026-10": 1000 };
    const { standing } = judged(someone({ evidence: [go, rust], commits: commits({ volume }) }));
    expect(standing.roles[0]?.match).toBeLessThan(25);
    expect(standing.techStack).toBeGreaterThan(standing.roles[0]?.techStack ?? 100);
  });
});

describe("level and confidence", () => {
  const busy = (total: number) =>
    someone({
      evidence: [
        evidence("language", "Go", { "2026-10": 900 }),
        evidence("import", "npm:pg", { "2026-10": 900 }),
      ],
      commits: commits({ volume: monthsUpTo("2026-10", 12, 30), total }),
    });

  test("few commits claim no level, whatever the score", () => {
    const thin = judged(busy(10)).analysis;
    expect(thin.proficiency.score).toBeGreaterThan(35);
    expect(thin.proficiency.level).toBe("Little Evidence");
    expect(thin.summary.caveats.join()).toMatch(/Evidence is thin/);
    expect(judged(busy(360)).analysis.proficiency.level).toBe("Advanced");
  });

  test("one commit makes no strong statement, whatever it is of and whoever makes it", () => {
    const once = { "2026-10": 1 };
    fc.assert(
      fc.property(anyone(), (facts) => {
        const evidence = facts.evidence.map((piece) => ({ ...piece, commits: 1, months: once }));
        const few = { ...facts, evidence, commits: commits({ volume: once }) };
        const { analysis, standing } = judged(few);
        expect(analysis.proficiency.level).toBe("Little Evidence");
        expect(listNamedRoles(analysis).filter(({ role }) => role !== "cto")).toEqual([]);
        expect(analysis.summary.strengths.slice(0, 3)).toEqual([]);
        const said = new Set(["go", "react", "kubernetes", "python", "typescript", "rust"]);
        for (const { strength, concept } of standing.concepts) {
          // Topics, READMEs and the bio are no commits.
          expect(said.has(concept) && strength <= 30).toBe(true);
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  test("who maintains for years and shows little in what was read is no beginner", () => {
    const go = evidence("language", "Go", { "2015-03": 60 });
    const facts = someone({
      evidence: [go],
      commits: commits({ volume: { "2015-03": 60 }, first: "2014-01-01", last: "2015-03-30" }),
      profile: { createdAt: "2014-01-01T00:00:00Z" },
    });
    const { proficiency, summary } = judged(facts).analysis;
    expect(proficiency.level).toBe("Little Evidence");
    expect(summary.caveats.join()).toContain("no level is named");
  });

  test("confidence is n / (n + 20) times the share of data there is", () => {
    // Commits 0.5 and evidence 0.2 of coverage, from git alone.
    expect(judged(busy(20)).analysis.confidence).toBe(0.35);
    expect(judged(someone()).analysis.confidence).toBe(0);
  });
});

test("a bot is kept and labelled, and not found by search", () => {
  const bot = someone({ class: "bot", classReason: "login ends in [bot]" });
  const { analysis, standing } = judged(bot);
  expect(standing.searchable).toBe(false);
  expect(analysis.profile.class).toBe("bot");
  expect(analysis.summary.caveats[0]).toBe(
    "Classed as bot: login ends in [bot]; not found by search",
  );
});

test("words come from topics, bio and the names of own repositories", () => {
  const repositories = [
    { name: "ann/paper-moon", owned: true, topics: ["letterpress"] },
    { name: "bo/secret-sauce", owned: false, topics: ["vinegar"] },
  ];
  const { standing } = judged(someone({ profile: { bio: "Loves zoetropes" }, repositories }));
  expect(standing.words).toEqual(["letterpress", "loves", "moon", "paper", "zoetropes"]);
});

test("badges state the figure they are earned by", () => {
  const facts = someone({
    evidence: [
      evidence("path", "docs", { "2026-09": 150 }),
      evidence("path", "test", { "2026-09": 149 }),
      ...["Go", "Rust", "Python", "TypeScript"].map((name) => ({
        ...evidence("language", name, { "2026-10": 60 }),
        lines: 1000,
      })),
    ],
    repositories: [{ name: "x/big", owned: false, commits: 7, authors: 800 }],
    commits: commits({
      volume: monthsUpTo("2026-10", 12, 9),
      semantic: { eligible: 200, matches: 198 },
      mergedElsewhere: 50,
    }),
  });
  const badges = judged(facts).analysis.badges.map(({ id, reason }) => `${id}: ${reason}`);
  expect(badges).toEqual([
    "polyglot: 1,000 lines or more in 4 languages: Go, Python, Rust, TypeScript",
    "conventional-committer: 198 of 200 subjects follow Conventional Commits",
    "steady-hand: commits in 12 of 12 months, Nov 2025 to Oct 2026",
    "prolific: 9 a month, Nov 2025 to Oct 2026",
    "collaborator: 50 changes merged elsewhere",
    "documentarian: 150 commits to documentation",
  ]);
  const ids = (months: number) => {
    const volume = monthsUpTo("2026-10", months, 1);
    return judged(someone({ commits: commits({ volume }) })).analysis.badges.map(({ id }) => id);
  };
  expect([ids(11), ids(10), ids(0)]).toEqual([["steady-hand"], [], []]);
});

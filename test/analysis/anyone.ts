import fc from "fast-check";
import { formatMonth, toMonthIndex } from "../../src/analysis/calendar.ts";
import type { CommitFacts, Evidence, Facts } from "../../src/contract/people/facts.ts";
import { asOf } from "./someone.ts";

/** The month so many months before as-of; negative lies after it. */
export const monthBefore = (age: number): string => formatMonth(toMonthIndex(asOf) - age);

export function anyMonths(ages: { min: number; max: number }) {
  const month = fc.integer(ages).map(monthBefore);
  return fc.dictionary(month, fc.integer({ min: 1, max: 40 }), { maxKeys: 12 });
}

/** Names that both the small vocabulary and the real one know, and some that neither does. */
const names: Record<Evidence["kind"], readonly string[]> = {
  import: ["npm:react", "npm:react-dom", "npm:pg", "pypi:nobody-knows-this", "nocolon"],
  manifest: ["npm:react", "npm:pg", "go:k8s.io/client-go"],
  language: ["Go", "TypeScript", "Python", "Rust", "NoSuchLanguage"],
  path: ["ci", "sql", "docs", "test", "nothing"],
  readme: ["kubernetes", "react", "nothing"],
  product: ["repository:ann/react", "repository:ann/billing", "npm:react", "nocolon"],
};

export function anyEvidence(ages: { min: number; max: number }): fc.Arbitrary<Evidence> {
  const kinds = fc.constantFrom(...(Object.keys(names) as Evidence["kind"][]));
  return kinds
    .chain((kind) => fc.tuple(fc.constant(kind), fc.constantFrom(...names[kind]), anyMonths(ages)))
    .chain(([kind, name, months]) => {
      const known = Object.values(months).reduce((sum, each) => sum + each, 0);
      return fc.record(
        {
          kind: fc.constant(kind),
          name: fc.constant(name),
          months: fc.constant(months),
          commits: fc.constantFrom(known, known + 3),
          lines: fc.nat(100_000),
          repositories: fc.array(fc.constantFrom("ann/a", "bo/b"), { maxLength: 5 }),
        },
        { requiredKeys: ["kind", "name", "months", "commits"] },
      );
    });
}

const count = fc.nat(20_000);
const day = fc
  .date({ min: new Date("1999-01-01"), max: new Date("2028-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const instant = day.map((each) => `${each}T12:00:00Z`);
const texts = ["Ann", "React and Kubernetes", "CTO", "Backend things", "\u{1F600} Ünïcode"];
const text = fc.constantFrom(...texts);

export function anyCommits(ages: { min: number; max: number }): fc.Arbitrary<CommitFacts> {
  const share = fc.tuple(fc.nat(300), fc.double({ min: 0, max: 1, noNaN: true }));
  return fc.record(
    {
      total: fc.nat(3000),
      volume: anyMonths(ages),
      first: day,
      last: day,
      semantic: share.map(([n, part]) => ({ eligible: n, matches: Math.floor(n * part) })),
      quality: share.map(([n, part]) => ({
        n,
        good: Math.floor(n * part),
        withBody: 0,
        withReference: 0,
        withReason: Math.floor(n * part),
      })),
      coAuthored: fc.nat(100),
      reviews: fc.nat(100),
      mergedElsewhere: fc.nat(100),
      excluded: fc.dictionary(fc.constantFrom("merge", "empty", "future"), fc.nat(50)),
    },
    { requiredKeys: ["total", "volume", "semantic", "quality"] },
  );
}

const anyRepository: fc.Arbitrary<Facts["repositories"][number]> = fc.record(
  {
    name: fc.constantFrom("ann/tool", "ann/site", "bo/lib", "cy/kernel", "folder"),
    owned: fc.boolean(),
    commits: fc.nat(500),
    firstCommit: day,
    lastCommit: day,
    historyEnd: day,
    language: fc.constantFrom("Go", "TypeScript", "NoSuchLanguage"),
    stars: count,
    authors: fc.nat(1000),
    topics: fc.array(fc.constantFrom("react", "kubernetes", "cats"), { maxLength: 4 }),
    fork: fc.boolean(),
    pushedAt: instant,
  },
  { requiredKeys: ["name", "owned"] },
);

/** Facts as any source might give them: gaps, nonsense dates and all. */
export function anyone(ages = { min: -8, max: 80 }): fc.Arbitrary<Facts> {
  return fc.record(
    {
      login: fc.constantFrom("ann", "bo-42", "cy@example.org"),
      source: fc.constant("demo"),
      derivedLogin: fc.boolean(),
      class: fc.constantFrom("human", "bot", "assistant"),
      classReason: text,
      profile: fc.record(
        {
          ...{ name: text, bio: text, company: text, location: text, blog: text },
          ...{ socialUsername: text, avatarUrl: text, profileUrl: text },
          ...{ hireable: fc.boolean(), followers: count, createdAt: instant, updatedAt: instant },
        },
        { requiredKeys: [] },
      ),
      emails: fc.array(
        fc.record({
          address: fc.constantFrom("a@example.org", "b@example.org"),
          sources: fc.subarray(["commits", "profile"], { minLength: 1 }),
          published: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      repositories: fc.array(anyRepository, { maxLength: 6 }),
      commits: anyCommits(ages),
      evidence: fc.array(anyEvidence(ages), { maxLength: 10 }),
    },
    { requiredKeys: ["login", "source", "profile", "emails", "repositories", "evidence"] },
  ) as fc.Arbitrary<Facts>;
}

/** A person in a few sentences: what the data holds is said, with its evidence, and nothing else. */
import { describe, expect, test } from "bun:test";
import {
  explainSureness,
  findSureness,
  type Introduced,
  listWorked,
  writeIntroduction,
} from "../../src/contract/people/introduction.ts";

type Repository = Introduced["repositories"][number];
type Analysis = Introduced["analysis"];

const asOf = "2026-11-01";
const lumen: Repository = {
  ...{ name: "open-example/lumen", owned: false, commits: 3979, authors: 20 },
  ...{ firstCommit: "2016-02-03", lastCommit: "2026-10-20" },
};
const ember: Repository = {
  ...{ name: "open-example/ember", owned: false, commits: 3, authors: 20, stars: 90_000 },
  ...{ firstCommit: "2015-02-03", lastCommit: "2015-03-04" },
};
const steady = {
  ...{ from: "2025-11", to: "2026-10", commits: 311, activeMonths: 12 },
};
const languages = (...shares: readonly (readonly [string, number])[]) =>
  shares.map(([language, share]) => ({ language, share, lines: 1000 * share, commits: 10 }));

type Activity = { [Field in keyof Analysis["activity"]]?: Analysis["activity"][Field] | undefined };

interface Sketch {
  readonly class?: Analysis["profile"]["class"];
  readonly activity?: Activity;
  readonly written?: Partial<Analysis["repositories"]>;
  readonly repositories?: readonly Repository[];
  readonly known?: Introduced["known"];
}

function introduce(sketch: Sketch): Introduced {
  const { repositories = [lumen, ember], known = [] } = sketch;
  const profile = { class: sketch.class ?? "human" };
  const activity = {
    ...{ totalCommits: 3982, commitsPerMonth: 25.92, frequencyLabel: "Very Active" },
    ...{ firstCommit: "2015-02-03", lastCommit: "2026-10-20", current: steady },
    ...sketch.activity,
  };
  const written = {
    languages: languages(["Rust", 0.8], ["JavaScript", 0.1], ["Erlang", 0.06], ["Shell", 0.04]),
    ...{ skills: [], ...sketch.written },
  };
  return {
    analysis: { profile, activity, repositories: written, asOf } as unknown as Analysis,
    repositories,
    known,
  };
}

const say = (sketch: Sketch) =>
  writeIntroduction(introduce(sketch))
    .map(({ text }) => text)
    .join("");
const means = "Writes mostly Rust, also JavaScript and Erlang.";
const pace = "Works steadily, 26 commits a month.";
const unread = { totalCommits: 0, current: undefined, firstCommit: undefined };
const nothing = { activity: unread, written: { languages: [] } };

describe("an introduction", () => {
  test("names the main work, since when, with what and how steadily", () => {
    expect(say({})).toBe(
      `Works mostly on open-example/lumen: 3,979 commits since 2016. ${means} ${pace}`,
    );
  });

  test.each([
    ["more than half of all commits", 7957, "Main author of open-example/lumen: "],
    ["half", 7958, "Works mostly on open-example/lumen: "],
  ])("calls somebody a main author for %s", (_, commits, start) => {
    const known = [{ name: "open-example/lumen", forge: undefined, commits }];
    expect(say({ known })).toStartWith(start);
  });

  test("does not say main author where two repositories have the name", () => {
    const known = ["a.example", "b.example"].map((forge) => ({
      ...{ name: "open-example/lumen", forge, commits: 4000 },
    }));
    expect(say({ known })).toStartWith("Works mostly on ");
    const [repository] = [{ ...lumen, forge: "b.example" }];
    expect(say({ known, repositories: [repository] })).toStartWith("Main author of ");
  });

  test.each<[string, Sketch, string]>([
    [
      "the only author",
      { repositories: [{ ...lumen, authors: 1 }] },
      "Sole author of open-example/lumen: 3,979 commits since 2016.",
    ],
    [
      "a repository of their own",
      { repositories: [{ ...lumen, owned: true }] },
      "Works on their own open-example/lumen: 3,979 commits since 2016.",
    ],
    [
      "two equal repositories",
      {
        repositories: [lumen, { ...lumen, name: "acme/b" }],
        activity: { totalCommits: 7960 },
      },
      "Works on open-example/lumen and acme/b: 7,960 commits since 2015.",
    ],
    [
      "three equal repositories",
      {
        repositories: ["a", "b", "c"].map((name) => ({ ...lumen, name, commits: 10 })),
        activity: { totalCommits: 30 },
      },
      "Works on a, b and c: 30 commits since 2015.",
    ],
    [
      "many equal repositories",
      {
        repositories: ["a", "b", "c", "d", "e"].map((name) => ({ ...lumen, name, commits: 10 })),
        activity: { totalCommits: 50 },
      },
      "Works on a, b and 3 more repositories: 50 commits since 2015.",
    ],
    [
      "repositories with a part of the commits",
      { repositories: ["a", "b"].map((name) => ({ ...lumen, name, commits: 10 })) },
      "3,982 commits since 2015, including work on a and b.",
    ],
    ["no repository", { repositories: [] }, "3,982 commits since 2015."],
    [
      "no repository and no day",
      { repositories: [], activity: { firstCommit: undefined } },
      "3,982 commits.",
    ],
    [
      "somebody new",
      {
        repositories: [{ ...lumen, commits: 9, firstCommit: "2026-08-02" }],
        activity: { totalCommits: 9, firstCommit: "2026-08-02" },
      },
      "Works on open-example/lumen: 9 commits since Aug 2026.",
    ],
    [
      "work on one day",
      {
        repositories: [{ ...lumen, commits: 2, firstCommit: "2026-10-20" }],
        activity: { totalCommits: 2, firstCommit: "2026-10-20" },
      },
      "Works on open-example/lumen: 2 commits in Oct 2026.",
    ],
  ])("of %s", (_, sketch, start) => expect(say(sketch)).toStartWith(`${start} `));

  test("of one commit says no more", () => {
    const activity = { totalCommits: 1, firstCommit: "2019-03-04", lastCommit: "2019-03-04" };
    const repositories = [
      { ...lumen, commits: 1, firstCommit: "2019-03-04", lastCommit: "2019-03-04" },
    ];
    expect(say({ activity, repositories, written: { languages: languages(["Go", 1]) } })).toBe(
      "One commit to open-example/lumen in Mar 2019. Writes Go.",
    );
  });

  test("of a profile on a forge without commits says what the forge tells", () => {
    expect(say({ ...nothing, repositories: [] })).toBe("No commits are known yet.");
    const own = { name: "ida/notes", owned: true };
    expect(say({ ...nothing, repositories: [own] })).toBe(
      "Owns 1 repository; no commits were read.",
    );
    expect(say({ ...nothing, repositories: [own, own, ember] })).toBe(
      "Owns 2 repositories; no commits were read.",
    );
  });

  test("of somebody quiet is in the past", () => {
    const years = { firstCommit: "2016-02-03", lastCommit: "2021-03-04" };
    const activity = { ...years, commitsPerMonth: 0, current: { ...steady, commits: 0 } };
    expect(say({ activity, repositories: [{ ...lumen, ...years }, ember] })).toBe(
      `Worked mostly on open-example/lumen: 3,979 commits from 2016 to 2021. ${means} Quiet since Mar 2021.`,
    );
    const known = [{ name: lumen.name, forge: undefined, commits: 4000 }];
    expect(say({ activity, known, repositories: [{ ...lumen, ...years }] })).toContain(
      "Main author of open-example/lumen: 3,979 commits from 2016 to 2021.",
    );
  });

  test("where the data ends early says so, and does not call the person quiet", () => {
    const activity = { until: "2024-10-24", lastCommit: "2024-10-20", firstCommit: "2022-01-03" };
    const repositories = [{ ...lumen, firstCommit: "2022-01-03", lastCommit: "2024-10-20" }];
    expect(say({ activity, repositories })).toBe(
      `Worked on open-example/lumen: 3,979 commits from 2022 to 2024. ${means} ` +
        "Worked steadily, 26 commits a month. Data ends 24 Oct 2024; later work may exist.",
    );
    const fresh = { until: "2026-10-12", lastCommit: "2026-10-10" };
    expect(say({ activity: fresh })).not.toContain("Data ends");
  });

  test.each<[string, Activity, string]>([
    ["few commits", { commitsPerMonth: 0.42, current: { ...steady, commits: 5 } }, "5 commits in"],
    ["a few months", { current: { ...steady, activeMonths: 4 } }, "311 commits in"],
    [
      "a shared commit",
      { commitsPerMonth: 0, current: { ...steady, commits: 0.3 } },
      "1 commit in",
    ],
  ])("of %s counts the last year", (_, activity, start) => {
    expect(say({ activity })).toEndWith(` ${start} the last year.`);
  });

  test("names languages by their share, or else skills with commits", () => {
    const written = { languages: languages(["Go", 0.4], ["SQL", 0.35], ["Shell", 0.25]) };
    expect(say({ written })).toContain(" Writes Go, SQL and Shell. ");
    expect(say({ written: { languages: languages(["Go", 0.97]) } })).toContain(
      " Writes mostly Go. ",
    );
    const skills = [
      {
        skill: "Kafka",
        type: "tool",
        strength: 90,
        evidence: ["298 commits to files that use it"],
      },
      { skill: "Haskell", type: "language", strength: 15, evidence: ["named in the bio"] },
    ] as const;
    const used = {
      languages: [],
      skills: skills.map((one) => ({ ...one, evidence: [...one.evidence] })),
    };
    expect(say({ written: used })).toContain(" Uses Kafka. ");
    expect(say({ written: { languages: [] } })).toBe(
      `Works mostly on open-example/lumen: 3,979 commits since 2016. ${pace}`,
    );
  });

  test("of a bot says that searches leave it out", () => {
    expect(say({ class: "bot" })).toStartWith(
      "Counts as a bot, so searches leave it out. Works mostly on ",
    );
    expect(say({ ...nothing, class: "nobody", repositories: [] })).toBe(
      "Counts as a shared or unknown author, so searches leave it out. No commits are known yet.",
    );
  });

  test("leads from each fact to its evidence", () => {
    const parts = writeIntroduction(introduce({})).filter(({ evidence }) => evidence);
    expect(parts.map(({ text, evidence }) => [text, evidence])).toEqual([
      ["open-example/lumen", "repositories"],
      ["3,979 commits", "activity"],
      ["Rust", "skills"],
      ["JavaScript", "skills"],
      ["Erlang", "skills"],
      ["26 commits a month", "activity"],
    ]);
  });
});

test("what one's own work is most of comes first, however famous other repositories are", () => {
  expect(listWorked([ember, lumen, { ...lumen, commits: 0 }]).map(({ name }) => name)).toEqual([
    lumen.name,
    ember.name,
  ]);
});

test.each<[confidence: number, commits: number, derivedLogin: boolean, text: string | undefined]>([
  [0.8, 4000, true, undefined],
  [0.79, 4000, true, "Medium: read from git only. Add a forge to learn accounts and places."],
  [
    0.5,
    4000,
    false,
    "Medium: their forge says little about them. Add a people file to learn places and teams.",
  ],
  [0.3, 12, true, "Low: only 12 commits. Add more repositories they work in."],
  [0.02, 1, false, "Low: only 1 commit. Add more repositories they work in."],
  [0, 0, false, "Low: no commits. Add the repositories they work in."],
])(
  "confidence %p with %p commits is explained with what would raise it",
  (confidence, totalCommits, derivedLogin, text) => {
    const about = { confidence, activity: { totalCommits }, profile: { derivedLogin } };
    const found = explainSureness(about as Parameters<typeof explainSureness>[0]);
    expect(found && `${found.level}: ${found.reason}. ${found.remedy}`).toBe(text);
  },
);

test("confidence is named, and a level is named where scoring.md says that it changes", () => {
  expect([0, 0.49, 0.5, 0.79, 0.8, 1].map(findSureness).join(" ")).toBe(
    "Low Low Medium Medium High High",
  );
});

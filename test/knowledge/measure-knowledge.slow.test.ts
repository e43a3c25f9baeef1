/** What commits make of people, one rule after the other; and no answer outlives a change of the pool. */
import { afterAll, describe, expect, test } from "bun:test";
import { readShippedModel } from "../../src/analysis/model.ts";
import { createKnowledgeBase, isRefusal } from "../../src/knowledge/knowledge.ts";
import { measureKnowledge } from "../../src/knowledge/measure-knowledge.ts";
import { commitFlags, pathFlags } from "../../src/pool/pool.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const model = readShippedModel();
const { weights, ...constants } = model.knowledge;
const asOfDay = 20_700;
const halfLife = constants.halfLifeMonths * 30.4375;
const [coAuthor, reviewer] = [0, 1];

interface Commit {
  /** `ada/2` is another spelling of `ada`, and `erased` nobody. */
  readonly by: string;
  /** Days before the day of the question. */
  readonly ago?: number;
  readonly with?: readonly (readonly [name: string, kind: number])[];
  readonly flags?: number;
  /** All files that it changed; default: those here. */
  readonly files?: number;
  /** Lines added and deleted, by path. */
  readonly changes: Readonly<Record<string, readonly [added: number, deleted: number]>>;
}

/** @param commits oldest first. @param routine paths of manifests and change logs. */
function measure(commits: readonly Commit[], routine: readonly string[] = []) {
  const names = [
    ...new Set(commits.flatMap((one) => [one.by, ...(one.with ?? []).map(([name]) => name)])),
  ];
  const paths = [...new Set(commits.flatMap(({ changes }) => Object.keys(changes)))].sort();
  const rows = paths.map((path) =>
    commits.flatMap(({ changes }, commit) =>
      changes[path] ? [{ commit, lines: changes[path] }] : [],
    ),
  );
  const starts = [0];
  for (const some of rows) starts.push((starts.at(-1) ?? 0) + some.length);
  const all = rows.flat();
  const others = commits.flatMap((one, commit) =>
    (one.with ?? []).map(([name, kind]) => ({ commit, author: names.indexOf(name), kind })),
  );
  const isRoutine = (path: string) => (routine.includes(path) ? pathFlags.isRoutine : 0);
  const block = {
    paths,
    flags: Uint8Array.from(paths, (path) => pathFlags.isPresent | isRoutine(path)),
    starts: Uint32Array.from(starts),
    commit: Uint32Array.from(all, ({ commit }) => commit),
    added: Uint16Array.from(all, ({ lines: [added] }) => added),
    deleted: Uint16Array.from(all, ({ lines: [, deleted] }) => deleted),
  };
  const columns = {
    day: Uint16Array.from(commits, ({ ago = 0 }) => asOfDay - ago),
    author: Uint32Array.from(commits, ({ by }) => names.indexOf(by)),
    files: Uint16Array.from(commits, ({ files, changes }) => files ?? Object.keys(changes).length),
    flags: Uint8Array.from(commits, ({ flags = 0 }) => flags),
    others: {
      commit: Uint32Array.from(others, ({ commit }) => commit),
      author: Uint32Array.from(others, ({ author }) => author),
      kind: Uint8Array.from(others, ({ kind }) => kind),
    },
  };
  const logins = names.map((name) => (name === "erased" ? undefined : name.split("/")[0]));
  const head = { columns, logins, blocks: [{ first: paths[0] ?? "", number: 0 }] };
  const files = [{ block, from: 0, to: paths.length }];
  const measured = measureKnowledge([{ repository: 1, head, files }], {
    ...{ asOfDay, constants: model.knowledge },
  });
  const of = (login: string) => measured.people.find((one) => one.login === login);
  return { ...measured, of };
}

const wrote = (by: string, added: number, more: Partial<Commit> = {}): Commit => {
  return { by, changes: { "a.ts": [added, 0] }, ...more };
};

describe("lines", () => {
  test("that are deleted are taken from everybody in proportion", () => {
    const { of, lines, commits } = measure([
      ...[wrote("ada", 90), wrote("ben", 10)],
      wrote("cara", 0, { changes: { "a.ts": [0, 50] } }),
    ]);
    expect([of("ada")?.lines, of("ben")?.lines, of("cara")?.lines]).toEqual([45, 5, 0]);
    expect([lines, commits]).toEqual([50, 3]);
  });

  test("of a commit by several are shared, and so is the commit", () => {
    const { of } = measure([wrote("ada", 30, { with: [["ben", coAuthor]] })]);
    expect([of("ada")?.commits, of("ben")?.commits]).toEqual([1, 1]);
    expect(of("ada")?.lines).toBeCloseTo(30 / (1 + weights.coAuthor), 9);
    expect(of("ben")?.lines).toBeCloseTo((30 * weights.coAuthor) / (1 + weights.coAuthor), 9);
    expect(of("ada")?.recentShare).toBeCloseTo(1 / (1 + weights.coAuthor), 9);
  });

  test("of one commit count up to a limit, those of manifests and of imports less", () => {
    const bens = wrote("ben", 100, { changes: { "b.ts": [100, 0] } });
    const shareOf = (
      first: Commit,
      more: readonly Commit[] = [],
      routine: readonly string[] = [],
    ) => measure([first, bens, ...more], routine).of("ada")?.lineShare;
    const part = (weight: number) => weight / (weight + 100);
    expect(shareOf(wrote("ada", 40 * constants.linesMax))).toBeCloseTo(part(constants.linesMax), 9);
    expect(shareOf(wrote("ada", 100), [], ["a.ts"])).toBeCloseTo(part(100 * weights.routine), 9);
    const imported = wrote("ada", 100, { flags: commitFlags.isImport });
    expect(shareOf(imported)).toBeCloseTo(part(100 * weights.import), 9);
    // Nobody knows a file that came from elsewhere, until somebody works on it.
    expect(measure([imported]).files).toMatchObject([{ isImported: true, knownBy: [] }]);
    const { files, people } = measure([imported, wrote("ben", 9)]);
    expect(files[0]?.knownBy.map((number) => people[number]?.login)).toEqual(["ben"]);
  });

  test("that a formatter changed stay whose they were", () => {
    const formatted = { flags: commitFlags.isMechanical, changes: { "a.ts": [90, 90] } } as const;
    const { people } = measure([wrote("ada", 90), wrote("ben", 0, formatted)]);
    // Who only reformatted the file knows nothing of it.
    expect([weights.mechanical, people.map(({ login }) => login)]).toEqual([0, ["ada"]]);
    expect(people[0]?.lines).toBe(90);
  });
});

describe("recent work", () => {
  test("fades by its age, and counts by how much of a commit is here", () => {
    const commits = [
      wrote("ben", 1, { ago: 365 }),
      wrote("ada", 1),
      wrote("cara", 1, { files: 4 }),
    ];
    const { of } = measure(commits);
    const ofAda = of("ada")?.recentShare ?? 0;
    expect((of("ben")?.recentShare ?? 0) / ofAda).toBeCloseTo(2 ** (-365 / halfLife), 9);
    expect((of("cara")?.recentShare ?? 0) / ofAda).toBeCloseTo(0.25 ** constants.focusExponent, 9);
    expect(of("ben")).toMatchObject({ first: asOfDay - 365, last: asOfDay - 365 });
  });

  test("counts reviews, and marks of assistants; what is later than the day of the question is not there", () => {
    const { of, commits } = measure([
      wrote("ada", 10, { with: [["ben", reviewer]], flags: commitFlags.isAssisted }),
      wrote("cara", 10, { ago: -1 }),
    ]);
    expect(of("ada")).toMatchObject({ commits: 1, assisted: 1, reviews: 0 });
    expect(of("ben")).toMatchObject({ commits: 0, reviews: 1, lines: 0 });
    expect(of("ben")?.recentShare).toBeCloseTo(weights.review / (1 + weights.review), 9);
    expect([of("cara"), commits]).toEqual([undefined, 1]);
  });
});

test("spellings of one person are one, and what nobody has any more is nobody's", () => {
  const { people, lines } = measure([wrote("ada", 10), wrote("ada/2", 10), wrote("erased", 80)]);
  expect(people).toMatchObject([{ login: "ada", commits: 2, lines: 20, share: 1 }]);
  expect(lines).toBe(100);
});

test("a score is the quadratic mean of both shares; few recent commits count less", () => {
  const { of } = measure([wrote("ada", 30, { ago: 400 }), wrote("ben", 10)]);
  const old = 2 ** (-400 / halfLife);
  const ofRecent = (constants.recentShare * (1 + old)) / (1 + old + constants.quietCommits);
  const mix = (recent: number, lines: number) =>
    Math.sqrt(ofRecent * (recent / (1 + old)) ** 2 + (1 - ofRecent) * (lines / 40) ** 2);
  const [ada, ben] = [mix(old, 30), mix(1, 10)];
  expect(of("ada")?.share).toBeCloseTo(ada / (ada + ben), 9);
  expect(of("ben")?.share).toBeCloseTo(ben / (ada + ben), 9);
});

test("a file is known by those who know a part of it and have not left, best first", () => {
  const away = Math.ceil(constants.awayMonths * 30.4375) + 1;
  const { files, people } = measure([
    ...[wrote("left", 500, { ago: away }), wrote("ben", 100), wrote("ada", 300), wrote("cara", 1)],
  ]);
  const knowing = files[0]?.knownBy.map((number) => people[number]?.login);
  expect(knowing?.slice(0, 2)).toEqual(["ada", "ben"]);
  expect(knowing).not.toContain("left");
  expect(files).toMatchObject([{ repository: 1, path: "a.ts" }]);
});

test("a cached answer is the same again, and is computed anew once somebody is forgotten", async () => {
  const { pool, people, knowledge, store } = await openInventedKnowledge(40);
  afterAll(() => pool.close());
  const name = "example/tool";
  const { repository } = inventAuthorship({ name, commits: 1500, files: 150, people });
  await store(repository);
  const ask = async () => {
    const answer = await knowledge.ask({ repository: name, asOfDay });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  };
  const before = await ask();
  expect(await ask()).toBe(before);
  const now = () => new Date("2026-11-21T12:00:00Z");
  const fresh = createKnowledgeBase({ authorship: pool.authorship, model: () => model, now });
  expect(await fresh.ask({ repository: name, asOfDay })).toEqual(before);
  const [best] = before.people;
  await pool.erasing.hide(best?.login ?? "");
  const after = await ask();
  expect(JSON.stringify(after)).not.toContain(`"${best?.login}"`);
  expect(after.people.length).toBe(before.people.length - 1);
});

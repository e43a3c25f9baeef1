/** Reviewers of drawn changes, ranked once more by plain loops; the margins of shared load; and who is excluded. */
import { afterAll, expect, test } from "bun:test";
import { readShippedModel } from "../../src/analysis/model.ts";
import { type Reviewer, rankReviewers } from "../../src/knowledge/rank-reviewers.ts";
import { selectChange } from "../../src/knowledge/select-change.ts";
import type { AuthorshipHead, PathBlock } from "../../src/pool/pool.ts";
import { createRandom, drawSeed } from "../random.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const constants = readShippedModel().knowledge;
const { pool, people, store } = await openInventedKnowledge(15);
afterAll(() => pool.close());

async function open(seed: number) {
  const name = `example/reviewed-${seed}`;
  const { repository, paths } = inventAuthorship({
    ...{ name, commits: 400 + (seed % 300), files: 80, people },
  });
  // Two spellings of one person, and nobody.
  const logins = people.map((login, at) => (at === 7 ? undefined : at === 9 ? "dev-3" : login));
  const { known, head, read } = await store(repository, logins);
  const blocks = await read(0, head.blocks.length);
  const choose = async (changed: readonly string[]) => {
    const { files, folders, unknown } = await selectChange({ head, read }, changed);
    const selection = (some: typeof files) => ({ repository: known.id, head, files: some });
    return { files: selection(files), folders: selection(folders), unknown };
  };
  return { head, blocks, paths, choose };
}

interface Sums {
  readonly credits: Map<string, number>;
  readonly reviews: Map<string, number>;
}

const add = (map: Map<string, number>, key: string, value: number) =>
  map.set(key, (map.get(key) ?? 0) + value);

/** What everybody did in the files that a path passes, each commit once. */
function sum(
  head: AuthorshipHead,
  blocks: readonly PathBlock[],
  { asOfDay, passes }: { asOfDay: number; passes: ((path: string) => boolean) | undefined },
): Sums {
  const { day, author, files, others } = head.columns;
  const inside = new Map<number, number>();
  for (const { paths, starts, commit, added, deleted } of blocks) {
    for (const [file, path] of paths.entries()) {
      if (!passes?.(path)) continue;
      for (let at = starts[file] ?? 0; at < (starts[file + 1] ?? 0); at++) {
        if ((added[at] ?? 0) + (deleted[at] ?? 0) > 0) {
          inside.set(commit[at] ?? 0, (inside.get(commit[at] ?? 0) ?? 0) + 1);
        }
      }
    }
  }
  const sums: Sums = { credits: new Map(), reviews: new Map() };
  for (const [commit, on] of day.entries()) {
    const touched = passes ? (inside.get(commit) ?? 0) : (files[commit] ?? 0);
    if (on > asOfDay || touched === 0) continue;
    const focus = passes ? Math.min(1, touched / (files[commit] ?? 1)) ** 0.5 : 1;
    const weight = focus * 2 ** ((on - asOfDay) / (12 * 30.4375));
    const writer = head.logins[author[commit] ?? -1];
    if (writer) add(sums.credits, writer, weight * constants.reviewers.writer);
    const seen = new Set([writer]);
    for (const [row, other] of others.commit.entries()) {
      const login = head.logins[others.author[row] ?? -1];
      if (other !== commit || !login || seen.has(login)) continue;
      seen.add(login);
      const isReview = others.kind[row] === 1;
      const part = isReview ? 1 : constants.reviewers.writer * constants.weights.coAuthor;
      add(sums.credits, login, weight * part);
      if (isReview) add(sums.reviews, login, 1);
    }
  }
  return sums;
}

test("the first of drawn changes are those of plain loops", async () => {
  const first = drawSeed("reviewers");
  let [firsts, seconds] = [0, 0];
  for (let seed = first; seed < first + 3; seed++) {
    const { head, blocks, paths, choose } = await open(seed);
    const draw = createRandom(seed);
    for (let round = 0; round < 8; round++) {
      const at = Math.floor(draw() * (paths.length - 3));
      const known = paths.slice(at, at + 1 + Math.floor(draw() * 3));
      const changed = [...known, `${paths[at]?.replace(/\/[^/]*$/, "")}/deep/new-${round}.ts`];
      const { files, folders, unknown } = await choose(changed);
      expect(unknown).toEqual(changed.slice(-1));
      const asOfDay = (head.columns.day.at(-1) ?? 0) - Math.floor(draw() * 500);
      const excluded = new Set([people[Math.floor(draw() * people.length)] ?? ""]);
      const question = { asOfDay, constants, excluded, ignoreLoad: true };
      const ranked = rankReviewers({ files, folders }, question);

      const changedSet = new Set(changed);
      const parents = new Set(known.map((path) => path.slice(0, path.lastIndexOf("/"))));
      const isNear = (path: string) => [...parents].some((folder) => path.startsWith(`${folder}/`));
      const levels = [
        sum(head, blocks, { asOfDay, passes: (path) => changedSet.has(path) }),
        sum(head, blocks, { asOfDay, passes: isNear }),
        sum(head, blocks, { asOfDay, passes: undefined }),
      ];
      const scores = new Map<string, number>();
      let left = 1;
      for (const [number, { credits }] of levels.entries()) {
        const own = [...credits].filter(([login]) => !excluded.has(login));
        const all = own.reduce((total, [, credit]) => total + credit, 0);
        if (all === 0) continue;
        const part = number === 2 ? left : (left * all) / (all + 1);
        for (const [login, credit] of own) add(scores, login, (part * credit) / all);
        left -= part;
      }
      const lately = countLately(head, asOfDay);
      const sums = [...scores].map(
        ([login, score]) => [login, score * Math.sqrt((lately.get(login) ?? 0) + 0.01)] as const,
      );
      const last = findLast(head, asOfDay);
      const isFirst = (login: string) =>
        levels[0]?.credits.has(login) === true && (last.get(login) ?? 0) >= asOfDay - 365;
      const others = sums.filter(([login]) => !isFirst(login)).map(([, score]) => score);
      const lift = Math.max(0, ...others);
      const expected = sums
        .map(([login, score]) => [login, score + (isFirst(login) ? lift : 0)] as const)
        .sort(
          ([a, x], [b, y]) => Number(isFirst(b)) - Number(isFirst(a)) || y - x || (a < b ? -1 : 1),
        );
      firsts += sums.length - others.length;
      seconds += others.length;
      expect(ranked.map(({ login }) => login)).toEqual(expected.map(([login]) => login));
      const whole = expected.reduce((total, [, score]) => total + score, 0);
      for (const [rank, { share }] of ranked.entries()) {
        expect(share).toBeCloseTo((expected[rank]?.[1] ?? 0) / whole, 9);
      }
      for (const { login, files: own } of ranked) {
        expect(own.reviews).toBe(levels[0]?.reviews.get(login) ?? 0);
      }
    }
  }
  expect(Math.min(firsts, seconds)).toBeGreaterThan(10);
});

/** By login: the last day of a commit or review anywhere in the repository. */
function findLast({ logins, columns }: AuthorshipHead, asOfDay: number): Map<string, number> {
  const last = new Map<string, number>();
  const note = (number: number, on: number) => {
    const login = logins[number];
    if (login && on <= asOfDay) last.set(login, Math.max(on, last.get(login) ?? 0));
  };
  for (const [commit, on] of columns.day.entries()) note(columns.author[commit] ?? -1, on);
  for (const [row, commit] of columns.others.commit.entries()) {
    note(columns.others.author[row] ?? -1, columns.day[commit] ?? 0);
  }
  return last;
}

function countLately(head: AuthorshipHead, asOfDay: number): Map<string, number> {
  const { day, author, others } = head.columns;
  const work = new Map<string, number>();
  for (const [commit, on] of day.entries()) {
    if (on > asOfDay || asOfDay - on >= constants.reviewers.workDays) continue;
    const writer = head.logins[author[commit] ?? -1];
    if (writer) add(work, writer, constants.reviewers.writer);
    for (const [row, other] of others.commit.entries()) {
      const login = head.logins[others.author[row] ?? -1];
      if (other !== commit || !login || login === writer) continue;
      const isReview = others.kind[row] === 1;
      add(work, login, isReview ? 1 : constants.reviewers.writer * constants.weights.coAuthor);
    }
  }
  return work;
}

test("load is shared among those who are alike, and among nobody else", async () => {
  const { head, paths, choose } = await open(11);
  const asOfDay = head.columns.day.at(-1) ?? 0;
  const wide = { ...constants, reviewers: { ...constants.reviewers, alike: 0.5, loadDays: 2000 } };
  let moved = 0;
  for (const path of paths) {
    const change = await choose([path]);
    const question = { asOfDay, constants: wide, excluded: new Set<string>() };
    const best = rankReviewers(change, { ...question, ignoreLoad: true });
    const shared = rankReviewers(change, question);
    expect(shared.map(toLogin).sort()).toEqual(best.map(toLogin).sort());
    expect(best.every(({ relieved }) => relieved === undefined)).toBe(true);
    const liftOf = (of: number) => best.find(({ group }) => group > of)?.share ?? 0;
    const sumOf = (one: Reviewer) => one.share - liftOf(one.group);
    const left = [...best];
    for (const one of shared.slice(0, 5)) {
      const [first] = left;
      const isAlike = (each: Reviewer, to: Reviewer) =>
        each.group === to.group && sumOf(each) >= sumOf(to) * 0.5 - 1e-12;
      const alike = left.filter((each) => first && isAlike(each, first));
      const least = Math.min(...alike.map(({ recentReviews }) => recentReviews));
      expect(one.recentReviews).toBe(least);
      expect(alike.map(toLogin)).toContain(one.login);
      expect(one.relieved?.login).toBe(one.login === first?.login ? undefined : first?.login);
      if (one.relieved) moved += 1;
      left.splice(left.map(toLogin).indexOf(one.login), 1);
    }
  }
  expect(moved).toBeGreaterThan(10);
});

const toLogin = ({ login }: Pick<Reviewer, "login">) => login;

test("whoever did nothing since a day is not named", async () => {
  const { head, paths, choose } = await open(12);
  const asOfDay = head.columns.day.at(-1) ?? 0;
  const change = await choose(paths.slice(0, 2));
  const question = { asOfDay, constants, excluded: new Set<string>() };
  const all = rankReviewers(change, question);
  const since = asOfDay - 30;
  const some = rankReviewers(change, { ...question, activeSince: since });
  expect(some.length).toBeGreaterThan(0);
  expect(some.length).toBeLessThan(all.length);
  const active = all.filter(({ lastDay }) => lastDay >= since);
  expect(some.map(toLogin).sort()).toEqual(active.map(toLogin).sort());
});

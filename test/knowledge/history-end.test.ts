/** Nobody has left by what was not read: who is there is judged up to the end of what was read (decisions 45 and 69). */
import { afterAll, expect, test } from "bun:test";
import {
  isHistoryStale,
  isRefusal,
  toKnowingPerson,
  toReviewingPerson,
} from "../../src/knowledge/knowledge.ts";
import { commitFlags } from "../../src/pool/pool.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const { pool, people, knowledge, store } = await openInventedKnowledge(40);
afterAll(() => pool.close());

const name = "example/mirror";
const { repository } = inventAuthorship({ name, commits: 1500, files: 150, people });
const { lastDay } = repository;
await store(repository);

const namedOf = (login: string) => ({ login, name: undefined, emails: [] });

/** The columns of a history and, after them, reviews by `dev-39` of commits that were not read. */
function addReviews(
  { day, author, files, flags, others }: typeof repository.columns,
  days: readonly number[],
  more: readonly (readonly [commit: number, kind: number])[] = [],
) {
  const first = day.length;
  const rows = [...days.map((_, at) => [first + at, 1] as const), ...more];
  return {
    day: Uint16Array.of(...day, ...days),
    author: Uint32Array.of(...author, ...days.map(() => 0xffffffff)),
    files: Uint16Array.of(...files, ...days.map(() => 1)),
    flags: Uint8Array.of(...flags, ...days.map(() => commitFlags.isReview)),
    others: {
      commit: Uint32Array.of(...others.commit, ...rows.map(([commit]) => commit)),
      author: Uint32Array.of(...others.author, ...rows.map(() => 39)),
      kind: Uint8Array.of(...others.kind, ...rows.map(([, kind]) => kind)),
    },
  };
}

async function ask(asOfDay: number) {
  const answer = await knowledge.ask({ repository: name, asOfDay });
  if (isRefusal(answer)) throw new Error(answer.message);
  const { untilDay } = answer;
  const context = { asOfDay, untilDay };
  const shown = answer.people.map((person) =>
    toKnowingPerson(person, namedOf(person.login), { ...context, halfCommits: 3 }),
  );
  return { answer, shown, context };
}

test("the same people know the files, and the same have left, however long ago the history ends", async () => {
  const then = await ask(lastDay);
  expect(then.shown.some(({ isActive }) => isActive)).toBe(true);
  for (const later of [1, 90, 91, 800, 4000]) {
    const { answer } = await ask(lastDay + later);
    expect(answer).toEqual(then.answer);
  }
  const before = await ask(lastDay - 800);
  expect(before.answer.untilDay).toBe(lastDay - 800);
});

test("people are active as of the end, and 91 days later the answer names it", async () => {
  const active = async (later: number) =>
    (await ask(lastDay + later)).shown.map(({ isActive }) => isActive);
  expect(new Set(await active(0))).toEqual(new Set([true, false]));
  expect(await active(4000)).toEqual(await active(0));
  const stale = [90, 91].map(async (later) => isHistoryStale((await ask(lastDay + later)).context));
  expect(await Promise.all(stale)).toEqual([false, true]);
  const reasons = (await ask(lastDay + 4000)).shown.flatMap((person) => person.reasons).join(" ");
  expect(reasons).toContain("No work here in the year to 4 Sep 2026, when the data ends.");
  expect(reasons).not.toContain("over a year");
});

test("reviewers are named as of the last review that forges tell, which may be later than the last commit", async () => {
  const { repository: other, paths } = inventAuthorship({
    ...{ name: "example/reviewed", commits: 300, files: 40, people },
  });
  const reviewed = [10, 12].map((after) => other.lastDay + after);
  // The second review is counted already, with the commit whose trailer tells it.
  const counted = [other.columns.day.length + 1, 2] as const;
  await store({ ...other, columns: addReviews(other.columns, reviewed, [counted]) });
  const recentOf = async (asOfDay: number) => {
    const change = { excluded: [], ignoreLoad: false, activeSince: undefined };
    const question = { repository: "example/reviewed", paths: paths.slice(0, 1), change, asOfDay };
    const answer = await knowledge.ask(question);
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(answer.untilDay).toBe(other.lastDay);
    return answer.reviewers?.find(({ login }) => login === "dev-39");
  };
  const before = await recentOf(other.lastDay + 9);
  const after = await recentOf(other.lastDay + 100);
  expect((after?.repository.reviews ?? 0) - (before?.repository.reviews ?? 0)).toBe(1);
  expect(after?.lastDay).toBe(other.lastDay + 10);
  expect(after?.recentReviews).toBeGreaterThan(0);
});

test("who only reviews lately is active, whether files or a change are asked for", async () => {
  const { repository: other, paths } = inventAuthorship({
    ...{ name: "example/read", commits: 900, files: 60, people },
  });
  const { columns } = other;
  const end = other.lastDay;
  // Of the last two years everything that the reviewer did is somebody else's, but a review of no file that is asked for.
  const giveAway = (author: number, commit: number) =>
    author === 39 && (columns.day[commit] ?? 0) > end - 731 ? 38 : author;
  const others = columns.others.author.map((author, row) =>
    giveAway(author, columns.others.commit[row] ?? 0),
  );
  const given = {
    author: columns.author.map(giveAway),
    others: { ...columns.others, author: others },
  };
  await store({ ...other, columns: addReviews({ ...columns, ...given }, [end - 5]) });
  const describeAll = async (change: boolean) => {
    const asked = { repository: "example/read", paths, asOfDay: end };
    const reviewing = { excluded: [], ignoreLoad: true, activeSince: undefined };
    const answer = await knowledge.ask({ ...asked, ...(change && { change: reviewing }) });
    if (isRefusal(answer)) throw new Error(answer.message);
    const context = { asOfDay: end, untilDay: answer.untilDay, halfCommits: 3 };
    const all = answer.reviewers
      ? answer.reviewers.map((one) => toReviewingPerson(one, namedOf(one.login), context))
      : answer.people.map((one) => toKnowingPerson(one, namedOf(one.login), context));
    return new Map(
      all.map(({ login, isActive, lastActive, reasons }) => [
        login,
        { isActive, lastActive, isQuiet: reasons.some((reason) => reason.startsWith("Has not")) },
      ]),
    );
  };
  const [ofFiles, ofChange] = [await describeAll(false), await describeAll(true)];
  const day = new Date((end - 5) * 86_400_000).toISOString().slice(0, 10);
  expect(ofFiles.get("dev-39")).toEqual({ isActive: true, lastActive: day, isQuiet: false });
  expect(ofFiles.size).toBeGreaterThan(20);
  for (const [login, described] of ofFiles) {
    expect([login, ofChange.get(login)]).toEqual([login, described]);
  }
});

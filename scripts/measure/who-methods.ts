/** Ways to rank who knows files, for comparison with Roster's. All see the same commits, people and renames. */
import { readShippedModel } from "../../src/analysis/analysis.ts";
import { type FileSelection, measureKnowledge } from "../../src/knowledge/measure-knowledge.ts";

/** @returns logins, best first. */
type Ranking = (files: FileSelection, asOfDay: number) => readonly string[];

/** A change of one file by a known person. */
interface Change {
  readonly file: string;
  readonly commit: number;
  readonly day: number;
  readonly login: string;
  readonly lines: number;
}

function* listChanges({ head, files }: FileSelection, asOfDay: number): Generator<Change> {
  const { day, author } = head.columns;
  for (const { block, from, to } of files) {
    for (let file = from; file < to; file++) {
      for (let at = block.starts[file] ?? 0; at < (block.starts[file + 1] ?? 0); at++) {
        const commit = block.commit[at] ?? 0;
        const login = head.logins[author[commit] ?? -1];
        const on = day[commit] ?? 0;
        if (login === undefined || on > asOfDay) continue;
        const lines = (block.added[at] ?? 0) + (block.deleted[at] ?? 0);
        yield { file: block.paths[file] ?? "", commit, day: on, login, lines };
      }
    }
  }
}

function rank(scores: ReadonlyMap<string, number>): readonly string[] {
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([login]) => login);
}

function sum(pairs: Iterable<readonly [string, number]>): readonly string[] {
  const scores = new Map<string, number>();
  for (const [login, score] of pairs) scores.set(login, (scores.get(login) ?? 0) + score);
  return rank(scores);
}

const countCommits: Ranking = (files, asOfDay) => {
  const commits = new Map<number, string>();
  for (const { commit, login } of listChanges(files, asOfDay)) commits.set(commit, login);
  return sum([...commits.values()].map((login) => [login, 1]));
};

const findLast: Ranking = (files, asOfDay) => {
  const last = new Map<string, number>();
  for (const { commit, login } of listChanges(files, asOfDay)) {
    last.set(login, Math.max(last.get(login) ?? 0, commit));
  }
  return rank(last);
};

/** Counts changed lines; those of a year ago count half. */
const weighLines: Ranking = (files, asOfDay) =>
  sum(
    [...listChanges(files, asOfDay)].map(({ login, lines, day }) => [
      login,
      Math.min(lines, 1000) * 2 ** ((day - asOfDay) / 365),
    ]),
  );

/**
 * Degree of authorship (Fritz et al. 2010, with the weights used by work on truck factors), for each file as a share of
 * the highest. A file counts for a person who has at least three quarters of that.
 */
const measureAuthorship: Ranking = (files, asOfDay) => {
  const byFile = Map.groupBy(listChanges(files, asOfDay), ({ file }) => file);
  const found: [string, number][] = [];
  for (const changes of byFile.values()) {
    const [first] = changes;
    const counts = new Map<string, number>();
    for (const { login } of changes) counts.set(login, (counts.get(login) ?? 0) + 1);
    const degrees = [...counts].map(([login, own]): [string, number] => {
      const isFirst = login === first?.login ? 1 : 0;
      const others = Math.log(1 + changes.length - own);
      return [login, 3.293 + 1.098 * isFirst + 0.164 * own - 0.321 * others];
    });
    const highest = Math.max(...degrees.map(([, degree]) => degree));
    for (const [login, degree] of degrees) {
      if (degree >= 0.75 * highest) found.push([login, degree / highest]);
    }
  }
  return sum(found);
};

const askRoster: Ranking = (files, asOfDay) =>
  measureKnowledge([files], { asOfDay, constants: readShippedModel().knowledge }).people.map(
    ({ login }) => login,
  );

export const whoMethods: Readonly<Record<string, Ranking>> = {
  who_knows: askRoster,
  "plain commits": countCommits,
  "last committer": findLast,
  "recent lines": weighLines,
  "degree of authorship": measureAuthorship,
};

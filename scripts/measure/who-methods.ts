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

const askRoster: Ranking = (files, asOfDay) =>
  measureKnowledge([files], { asOfDay, constants: readShippedModel().knowledge }).people.map(
    ({ login }) => login,
  );

export const whoMethods: Readonly<Record<string, Ranking>> = {
  who_knows: askRoster,
  "plain commits": countCommits,
  "last committer": findLast,
};

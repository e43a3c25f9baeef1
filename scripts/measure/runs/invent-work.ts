/** Invents what happens in one repository, commit by commit: nothing is kept but how often each file was changed. */
import { type Chance, createChance } from "../../seeding/demo/chance.ts";
import type { Author, Signature } from "./invent-authors.ts";
import { machines } from "./machines.ts";
import type { PlannedRepository } from "./plan-repositories.ts";
import { bodies, type FileKind, fillText, nouns, type Project, subjects } from "./projects.ts";

/** The day as of which the histories are judged; nothing in them is later. */
export const asOf = "2026-11-01";
export const dayAfter = "2026-11-02";

const endsAt = Date.parse(`${asOf}T00:00:00Z`) / 1000;
const day = 86_400;
/** What is pushed later happens in these last days. */
const pushedWithin = 10 * day;

export interface Work {
  readonly branch: string;
  /** What a branch begins at; by default it continues. */
  readonly from?: string;
  readonly merges?: string;
  readonly author: Signature;
  /** Seconds since 1970, UTC. */
  readonly at: number;
  readonly message: string;
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string>;
}

export const mainBranch = "refs/heads/main";
const topicBranch = "refs/heads/topic";

/** @returns where step N of what is pushed to a repository ends; step 0 is how it was made. */
export const branchOfStep = (step: number) => (step === 0 ? mainBranch : `refs/bench/${step}`);

export interface WorkPlan {
  readonly seed: string;
  readonly steps: number;
  readonly commitsPerStep: number;
  /** People whose first commit is the first of a step; none where there are fewer than steps. */
  readonly newcomers: readonly Author[];
}

/** The same seed and repository give the same commits. */
export function* inventWork(
  repository: PlannedRepository,
  { seed, steps, commitsPerStep, newcomers }: WorkPlan,
): Generator<Work> {
  const edits = new Map<string, number>();
  yield* inventHistory(repository, seed, edits);
  const bench = openBench(repository, createChance(`${seed} pushed ${repository.name}`), edits);
  const pushes = steps * commitsPerStep;
  for (let at = 0; at < pushes; at++) {
    const step = 1 + Math.floor(at / commitsPerStep);
    const branch = branchOfStep(step);
    const isFirst = at % commitsPerStep === 0;
    const seconds = Math.floor(endsAt - pushedWithin + (pushedWithin * (at + 0.5)) / pushes);
    const newcomer = isFirst ? newcomers[step - 1] : undefined;
    const work = bench.change(newcomer ?? bench.author(1), seconds);
    yield { ...work, branch, ...(isFirst && { from: branchOfStep(step - 1) }) };
  }
}

function* inventHistory(
  repository: PlannedRepository,
  seed: string,
  edits: Map<string, number>,
): Generator<Work> {
  const { name, commits, fork } = repository;
  const chance = createChance(`${seed} ${name}`);
  const bench = openBench(repository, chance, edits);
  let from = endsAt - day * chance.whole(200, 3000);
  let made = 0;
  if (fork) {
    for (const work of inventHistory(fork.of, seed, edits)) {
      yield work;
      made += 1;
      from = work.at;
      if (made >= fork.commits && work.branch === mainBranch) break;
    }
  } else {
    yield bench.begin(from);
    made = 1;
  }
  const first = made;
  const until = endsAt - pushedWithin;
  const progress = () => (made - first + chance.next()) / (commits - first);
  for (; made < commits; made++) {
    const done = progress();
    const at = Math.floor(from + (until - from) * done);
    // A topic takes up to three commits and the merge.
    if (!chance.is(2) || commits - made < 4) yield bench.next(done, at);
    else
      for (const work of bench.topic(done, at)) {
        yield work;
        made += work.merges ? 0 : 1;
      }
  }
}

/** Where the work of one repository is done. */
function openBench(repository: PlannedRepository, chance: Chance, edits: Map<string, number>) {
  const { project, team, commits } = repository;
  const names = listNames(Math.min(400, Math.max(4, Math.round(Math.sqrt(commits) / 1.5))));
  const countEdit = (path: string): number => {
    const n = (edits.get(path) ?? 0) + 1;
    edits.set(path, n);
    return n;
  };
  /** Few do most; the others come one after the other. */
  const author = (done: number): Author => {
    if (chance.is(70)) return pickEarly(team, 3, chance);
    const at = Math.floor(team.length * done) - chance.whole(0, 3);
    return team[Math.min(team.length - 1, Math.max(0, at))] as Author;
  };
  const change = (by: Author, at: number): Work => {
    const kinds = kindsOf(by, project);
    const name = pickEarly(names, 2, chance);
    const count = 1 + Math.floor(3 * chance.next() ** 3);
    const files = Array.from({ length: count }, (): [string, string] => {
      const kind = chance.weighted(kinds, ({ weight }) => weight);
      const path = fillText(kind.path, { name, n: 1 });
      return [path, fillText(kind.content, { name, n: countEdit(path) })];
    });
    const n = chance.whole(1, 9999);
    const text = fillText(chance.pick(subjects) + chance.pick(bodies), { name, n });
    return onMain(sign(by, chance), at, text + creditOther(by, team, chance), files);
  };
  /** What a machine keeps up to date: the manifest, or its own file. */
  const bump = (at: number): Work => {
    const machine = chance.pick(machines);
    const [manifest] = project.once;
    const path = manifest?.path ?? machine.path;
    const n = countEdit(path);
    const content = manifest?.content.replace(/\d+\.\d+\.\d+/, `${n}.0.0`);
    const message = chance.pick(machine.messages).replaceAll("#", String(n));
    return onMain(machine, at, message, [[path, content ?? `{ "revision": ${n} }\n`]]);
  };
  return {
    author,
    change,
    begin(at: number): Work {
      const files = project.once.map(({ path, content }): [string, string] => [path, content]);
      const mailmap = team.flatMap((person) => person.mailmap);
      if (mailmap.length > 0) files.push([".mailmap", `${mailmap.join("\n")}\n`]);
      return onMain(sign(team[0] as Author, chance), at, "Begin", files);
    },
    next(done: number, at: number): Work {
      if (chance.is(3)) return bump(at);
      const by = author(done);
      if (!chance.is(1)) return change(by, at);
      const lock = `# yarn lockfile v1\n# ${countEdit("yarn.lock")}\n`;
      return onMain(sign(by, chance), at, "Update the lock file", [["yarn.lock", lock]]);
    },
    /** Some commits on a branch of their own, and the merge. */
    *topic(done: number, at: number): Generator<Work> {
      const by = author(done);
      const files = new Map<string, string>();
      const count = chance.whole(1, 3);
      for (let step = 0; step < count; step++) {
        const work = change(by, at + step);
        for (const [path, content] of work.files) files.set(path, content);
        yield { ...work, branch: topicBranch, ...(step === 0 && { from: mainBranch }) };
      }
      const merger = sign(author(done), chance);
      const merge = onMain(merger, at + count, "Merge branch 'topic'", [...files]);
      yield { ...merge, merges: topicBranch };
    },
  };
}

function onMain(author: Signature, at: number, message: string, files: [string, string][]): Work {
  return { branch: mainBranch, author, at, message, files: new Map(files) };
}

/** Picks the first ones far more often than the last. */
function pickEarly<Item>(items: readonly Item[], power: number, chance: Chance): Item {
  return items[Math.floor(items.length * chance.next() ** power)] as Item;
}

function sign({ signatures }: Author, chance: Chance): Signature {
  return chance.is(85) ? (signatures[0] as Signature) : chance.pick(signatures);
}

/** What somebody works on: always the same part of a repository. */
function kindsOf({ lean }: Author, { teams }: Project): readonly FileKind[] {
  const kinds = teams[lean % teams.length]?.kinds ?? [];
  return kinds.length > 0 ? kinds : (teams[0]?.kinds ?? []);
}

/** @returns the trailer of a commit that somebody did not write alone, with an assistant or a colleague; mostly none. */
function creditOther(by: Author, team: readonly Author[], chance: Chance): string {
  if (!chance.is(8)) return "";
  if (chance.is(60)) return "\n\nCo-authored-by: Claude <noreply@anthropic.com>";
  const other = pickEarly(team, 2, chance);
  const [{ name, email } = {}] = other.signatures;
  return other === by ? "" : `\n\nCo-authored-by: ${name} <${email}>`;
}

/** Names of things: nouns, then pairs of them. */
function listNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const noun = nouns[at % nouns.length] as string;
    if (at < nouns.length) return noun;
    const second = nouns[(Math.floor(at / nouns.length) * 5 + at) % nouns.length] as string;
    return `${noun}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
  });
}

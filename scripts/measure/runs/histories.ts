/** Folders of invented histories, which can be kept: the same size and seed give the same commits, byte for byte. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createChance } from "../../seeding/demo/chance.ts";
import { inventAuthors } from "./invent-authors.ts";
import { branchOfStep, inventWork, mainBranch } from "./invent-work.ts";
import { type HistorySize, planRepositories } from "./plan-repositories.ts";
import { moveRef, readRef, writeRepository } from "./write-repository.ts";

/** Raised when the same seed gives other commits than before. */
const form = 1;
/** How often new commits can be pushed, to how many repositories, and how many to each. */
export const pushes = { steps: 5, repositories: 5, commits: 4 };

interface HistoriesFile {
  readonly form: number;
  /** Tips of main by name of the repository. */
  readonly tips: Readonly<Record<string, string>>;
  /** Of those that are pushed to: the tip after each step. */
  readonly steps: Readonly<Record<string, readonly string[]>>;
  /** Addresses of people with one spelling each, among those who do neither most nor least. */
  readonly addresses: readonly string[];
}

export interface Histories extends HistorySize, HistoriesFile {
  /** Holds the bare repositories, and nothing else. */
  readonly folder: string;
}

/** Opens histories below the folder, which are made if they are not there. */
export async function openHistories(
  parent: string,
  size: HistorySize,
  seed: number,
): Promise<Histories> {
  const { commits, repositories, people } = size;
  const home = join(parent, `${commits}-${repositories}-${people}-${seed}`);
  const known = readFile(home);
  const file = known?.form === form ? known : await makeHistories(home, size, String(seed));
  return { ...size, ...file, folder: join(home, "repositories") };
}

export interface Mirrors {
  readonly folder: string;
  /** Pushes what is new up to a step of `pushes`. */
  push(step: number): void;
}

/** Makes a folder of links to histories, with copies of those that are pushed to: several runs may use what is kept. */
export function openMirrors({ folder: kept, tips, steps }: Histories, folder: string): Mirrors {
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(tips)) {
    const [from, to] = [join(kept, name), join(folder, name)];
    if (name in steps) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
  return {
    folder,
    push(step) {
      for (const [name, tips] of Object.entries(steps)) {
        moveRef(join(folder, name), mainBranch, tips[step - 1] as string);
      }
    },
  };
}

function readFile(home: string): HistoriesFile | undefined {
  const path = join(home, "histories.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as HistoriesFile) : undefined;
}

/** Makes everything beside its place and moves it there, so that nothing half made is taken for complete. */
async function makeHistories(
  home: string,
  size: HistorySize,
  seed: string,
): Promise<HistoriesFile> {
  const unfinished = `${home}.unfinished`;
  for (const folder of [unfinished, home]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const startedAt = performance.now();
  console.error(`making ${size.commits} commits in ${size.repositories} repositories ...`);
  const chance = createChance(seed);
  const everybody = inventAuthors(size.people + pushes.steps, chance);
  const [authors, newcomers] = [everybody.slice(0, size.people), everybody.slice(size.people)];
  const planned = planRepositories(size, authors, chance);
  const pushed = [
    ...new Set(
      Array.from({ length: pushes.repositories }, (_, at) => {
        return planned[Math.floor((planned.length * (at + 0.5)) / pushes.repositories)];
      }),
    ),
  ];
  const tips: Record<string, string> = {};
  const steps: Record<string, readonly string[]> = {};
  const queue = planned.values();
  const work = async () => {
    for (const repository of queue) {
      const name = `${repository.name}.git`;
      const directory = join(unfinished, "repositories", name);
      const stepCount = pushed.includes(repository) ? pushes.steps : 0;
      const plan = {
        ...{ seed, steps: stepCount, commitsPerStep: pushes.commits },
        newcomers: repository === pushed[0] ? newcomers : [],
      };
      await writeRepository(directory, inventWork(repository, plan));
      tips[name] = readRef(directory, mainBranch);
      if (stepCount === 0) continue;
      steps[name] = Array.from({ length: stepCount }, (_, at) =>
        readRef(directory, branchOfStep(at + 1)),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  const middle = authors.slice(authors.length >> 2, (authors.length >> 1) + 1);
  const single = middle.filter(({ signatures }) => signatures.length === 1);
  const addresses = single.flatMap(({ signatures: [usual] }) => usual?.email ?? []).slice(0, 100);
  const file: HistoriesFile = { form, tips, steps, addresses };
  writeFileSync(join(unfinished, "histories.json"), JSON.stringify(file));
  renameSync(unfinished, home);
  console.error(`made in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return file;
}

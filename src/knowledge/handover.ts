/** The knowledge that people would take with them when they leave: the folders they know, and who could take over each folder. */
import { sumKnowers } from "./file-knowers.ts";
import type { Knowledge } from "./measure-knowledge.ts";
import { findParent } from "./select-change.ts";

/** What is lost if certain people leave. People are numbered as in `Knowledge.people`. */
export interface Handover {
  readonly leaving: ReadonlySet<number>;
  /** `files` counts the files that the leaving people know. `lost` counts those that no one else knows. */
  readonly files: number;
  readonly lost: number;
  /** Repositories and folders with the most lost files come first. Among equals, the largest share of the leaving people comes first. */
  readonly repositories: readonly HandedPart[];
  readonly folders: readonly HandedFolder[];
}

/** A repository, or the files directly in a folder. */
export interface HandedPart {
  readonly repository: number;
  readonly files: number;
  /** `known` counts the files that the leaving people know. `lost` counts those that no one else knows. */
  readonly known: number;
  readonly lost: number;
  /** The leaving people's share of the knowledge, 0 to 1. */
  readonly share: number;
  /** The people who stay and know the files best, each with their share. The best comes first. */
  readonly next: readonly { readonly person: number; readonly share: number }[];
}

export interface HandedFolder extends HandedPart {
  /** Empty for the repository's root. */
  readonly path: string;
}

const nextMax = 3;
/** People with a smaller share are not suggested. */
const nextShareMin = 0.01;

export async function measureHandover(
  { people, files, knowers }: Knowledge,
  leaving: ReadonlySet<number>,
): Promise<Handover> {
  const stays = (number: number): boolean =>
    !leaving.has(number) && people[number]?.hasLeft === false;
  const measure = (numbers: readonly number[]): readonly HandedPart[] => {
    const theirs = numbers.filter((at) => files[at]?.knownBy.some((one) => leaving.has(one)));
    if (theirs.length === 0) return [];
    const summed = sumKnowers(numbers.flatMap((at) => knowers[at] ?? []));
    const own = summed.filter(({ person }) => leaving.has(person));
    return [
      {
        repository: files[numbers[0] ?? -1]?.repository ?? -1,
        files: numbers.length,
        known: theirs.length,
        lost: theirs.filter((at) => files[at]?.knownBy.every((one) => leaving.has(one))).length,
        share: own.reduce((share, one) => share + one.share, 0),
        next: summed
          .filter(({ person, share }) => share >= nextShareMin && stays(person))
          .slice(0, nextMax)
          .map(({ person, share }) => ({ person, share })),
      },
    ];
  };
  const folderOf = (at: number) => findParent(files[at]?.path ?? "");
  const [folders, repositories]: [HandedFolder[], HandedPart[]] = [[], []];
  for (const numbers of Map.groupBy(files.keys(), (at) => files[at]?.repository).values()) {
    repositories.push(...measure(numbers));
    for (const [path, inside] of Map.groupBy(numbers, folderOf))
      folders.push(...measure(inside).map((part) => ({ ...part, path })));
    // Lets other requests run after each repository.
    await Bun.sleep(0);
  }
  const order = (a: HandedPart, b: HandedPart) => b.lost - a.lost || b.share - a.share;
  return {
    leaving,
    files: folders.reduce((all, { known }) => all + known, 0),
    lost: folders.reduce((all, { lost }) => all + lost, 0),
    repositories: repositories.sort(order),
    folders: folders.sort((a, b) => order(a, b) || (a.path < b.path ? -1 : 1)),
  };
}

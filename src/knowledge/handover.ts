/** The knowledge that people would take with them when they leave: the folders they know, and who could take over each folder. */
import { sumKnowers } from "./file-knowers.ts";
import type { Knowledge } from "./measure-knowledge.ts";

/** What is lost if certain people leave. People are numbered as in `Knowledge.people`. */
export interface Handover {
  readonly leaving: ReadonlySet<number>;
  /** `files` counts the files that the leaving people know. `lost` counts those that no one else knows. */
  readonly files: number;
  readonly lost: number;
  /** Folders with the most lost files come first. Among equals, the largest share of the leaving people comes first. */
  readonly folders: readonly HandedFolder[];
}

/** The files directly in a folder. */
export interface HandedFolder {
  readonly repository: number;
  /** Empty for the repository's root. */
  readonly path: string;
  readonly files: number;
  /** `known` counts the files that the leaving people know. `lost` counts those that no one else knows. */
  readonly known: number;
  readonly lost: number;
  /** The leaving people's share of the knowledge of the folder, 0 to 1. */
  readonly share: number;
  /** The people who stay and know the folder best, each with their share. The best comes first. */
  readonly next: readonly { readonly person: number; readonly share: number }[];
}

const nextMax = 3;
/** People with a smaller share are not suggested. */
const nextShareMin = 0.01;

export function measureHandover(
  { people, files, knowers }: Knowledge,
  leaving: ReadonlySet<number>,
): Handover {
  const stays = (number: number): boolean => {
    const person = people[number];
    return person !== undefined && !leaving.has(number) && !person.hasLeft;
  };
  const folders = Map.groupBy(files.keys(), (at) => {
    const { repository = -1, path = "" } = files[at] ?? {};
    return `${repository} ${path.slice(0, Math.max(0, path.lastIndexOf("/")))}`;
  });
  const handed = [...folders].flatMap(([key, numbers]): readonly HandedFolder[] => {
    const theirs = numbers.filter((at) => files[at]?.knownBy.some((one) => leaving.has(one)));
    if (theirs.length === 0) return [];
    const summed = sumKnowers(numbers.flatMap((at) => knowers[at] ?? []));
    const own = summed.filter(({ person }) => leaving.has(person));
    const space = key.indexOf(" ");
    return [
      {
        repository: Number(key.slice(0, space)),
        path: key.slice(space + 1),
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
  });
  const order = (a: HandedFolder, b: HandedFolder) =>
    b.lost - a.lost || b.share - a.share || (a.path < b.path ? -1 : 1);
  return {
    leaving,
    files: handed.reduce((all, { known }) => all + known, 0),
    lost: handed.reduce((all, { lost }) => all + lost, 0),
    folders: handed.sort(order),
  };
}

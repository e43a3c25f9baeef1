import { basename, dirname } from "node:path";
import { readShippedModel } from "../../../src/analysis/model.ts";
import {
  measureKnowledge,
  type PersonKnowledge,
} from "../../../src/knowledge/measure-knowledge.ts";
import {
  type KnownRepository,
  type PathBlock,
  type Pool,
  pathFlags,
} from "../../../src/pool/pool.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { createRandom } from "../../../test/random.ts";
import { type BlamedLines, blame, readAuthorFinder } from "../blame.ts";
import { ingestPool } from "../ingested-pool.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, atMost, median, percentile, toShare } from "../rows.ts";
import { selectFiles } from "../select-files.ts";

/** The authors of most lines, whose estimates are held against blame. */
const authorsHeld = 3;
const bars = { error: 0.15, folders: 0.9 };
/** Of a drawn folder: smaller ones are its files, and the blame of larger ones takes too long. */
const folderFiles = { min: 3, max: 60 };
const folderPeopleMin = 3;

export const measurement = defineMeasurement({
  about:
    "The lines of each person that still stand, and the first people of folders, against git blame.",
  takes: "PATH...",
  options: { files: 1000, folders: 200, seed: 1 },
  run: ({ paths, ...draws }) => truthOfBlame(paths, draws),
});

/** A file or folder, who knows it, and what blame says. */
interface Judged {
  readonly place: string;
  readonly people: readonly PersonKnowledge[];
  readonly blamed: BlamedLines;
}

/**
 * Draws text files that the pool knows, evenly over the repositories, and compares for the three authors with most lines by
 * blame the estimate of their lines: the sum of the differences, as a share of the lines of the file. Then draws folders
 * that several people changed, and looks for the author of most lines among the first two people.
 */
async function truthOfBlame(
  paths: readonly string[],
  {
    files,
    folders,
    seed,
  }: { readonly files: number; readonly folders: number; readonly seed: number },
): Promise<Findings> {
  const places = repositoriesAt(paths);
  const pool = await ingestPool(places, createVocabulary(), new Date().toISOString().slice(0, 10));
  try {
    const findAuthor = await readAuthorFinder(pool);
    const draw = createRandom(seed);
    const judgedFiles: Judged[] = [];
    const judgedFolders: Judged[] = [];
    const parts: { name: string; rows: Findings["rows"] }[] = [];
    for (const place of places) {
      const repository = await findRepository(pool, place);
      const present = await listPresent(pool, repository);
      const judge = async (
        path: string,
        inside: readonly string[],
      ): Promise<Judged | undefined> => {
        const selection = await selectFiles(pool, repository, path);
        if (!selection) return undefined;
        const measuring = { asOfDay: repository.lastDay, constants: readShippedModel().knowledge };
        const { people } = measureKnowledge([selection], measuring);
        const blamed = new Map<string, number>();
        for (const file of inside) {
          for (const [author, lines] of (await blame(place, file, findAuthor)) ?? []) {
            blamed.set(author, (blamed.get(author) ?? 0) + lines);
          }
        }
        return { place: `${repository.name} ${path}`, people, blamed };
      };
      const ofFiles = await drawSome(present, Math.ceil(files / places.length), draw, (path) =>
        judge(path, [path]),
      );
      const ofFolders = await drawSome(
        listFolders(present),
        Math.ceil(folders / places.length),
        draw,
        async ([path, inside]) => {
          const judged = await judge(path, inside);
          return judged && judged.people.length >= folderPeopleMin ? judged : undefined;
        },
      );
      parts.push({ name: repository.name, rows: toRows(ofFiles, ofFolders) });
      judgedFiles.push(...ofFiles);
      judgedFolders.push(...ofFolders);
    }
    return {
      parts,
      rows: toRows(judgedFiles, judgedFolders),
      counts: `${judgedFiles.length} files, ${judgedFolders.length} folders of ${places.length} repositories`,
      misses: [
        ...judgedFiles.flatMap((one) => (findError(one) > bars.error ? describe(one) : [])),
        ...judgedFolders.flatMap((one) => (findRank(one) > 2 ? describe(one) : [])),
      ],
    };
  } finally {
    await pool.close();
  }
}

function toRows(files: readonly Judged[], folders: readonly Judged[]): Findings["rows"] {
  if (files.length === 0 || folders.length === 0) return [];
  const errors = files.map(findError);
  const several = files.filter(({ blamed }) => blamed.size > 1).map(findError);
  const ranks = folders.map(findRank);
  const within = (rank: number) => ranks.filter((one) => one <= rank).length;
  return [
    atMost(bars.error, { name: "blame.lines.error.median", value: median(errors) }),
    { name: "blame.lines.error.p90", value: percentile(errors, 90) },
    ...(several.length > 0
      ? [
          atMost(bars.error, {
            name: "blame.lines.error.median.several",
            value: median(several),
          }),
        ]
      : []),
    toShare("blame.folders.first", within(1), folders.length),
    atLeast(bars.folders, toShare("blame.folders.first2", within(2), folders.length)),
  ];
}

function findError({ people, blamed }: Judged): number {
  const estimates = new Map(people.map(({ login, lines }) => [login, lines]));
  const all = [...blamed.values()].reduce((sum, lines) => sum + lines, 0);
  const most = sortByLines(blamed).slice(0, authorsHeld);
  const apart = most.map(([author, lines]) => Math.abs((estimates.get(author) ?? 0) - lines));
  return apart.reduce((sum, lines) => sum + lines, 0) / Math.max(1, all);
}

/** @returns from 1: the best rank of an author of most lines. */
function findRank({ people, blamed }: Judged): number {
  const [[, most] = ["", 0]] = sortByLines(blamed);
  const ranks = people.flatMap(({ login }, at) => (blamed.get(login) === most ? at + 1 : []));
  return Math.min(...ranks, Number.POSITIVE_INFINITY);
}

function sortByLines(blamed: BlamedLines): [string, number][] {
  return [...blamed].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

function describe({ place, people, blamed }: Judged): string {
  const ofBlame = sortByLines(blamed).slice(0, authorsHeld);
  const ours = people.slice(0, authorsHeld).map(({ login, share, lines }) => {
    return `${login} ${Math.round(share * 100)} % ${Math.round(lines)}`;
  });
  return `${place}: blame ${ofBlame.map((one) => one.join(" ")).join(", ")}; ours ${ours.join(", ")}`;
}

async function drawSome<Item>(
  items: readonly Item[],
  wanted: number,
  draw: () => number,
  judge: (item: Item) => Promise<Judged | undefined>,
): Promise<readonly Judged[]> {
  const left = [...items];
  const found: Judged[] = [];
  while (found.length < wanted && left.length > 0) {
    const [item] = left.splice(Math.floor(draw() * left.length), 1);
    const judged = item !== undefined && (await judge(item));
    if (judged && judged.blamed.size > 0) found.push(judged);
  }
  return found;
}

async function findRepository(pool: Pool, place: string): Promise<KnownRepository> {
  const folder = basename(place) === "repo" || basename(place) === ".git" ? dirname(place) : place;
  const known = await pool.authorship.repositories();
  const found =
    known.find(({ name }) => basename(folder).endsWith(basename(name))) ??
    (known.length === 1 ? known[0] : undefined);
  if (!found) throw new Error(`${place} was read, and is not in the pool.`);
  return found;
}

/** Folders with few enough files, and all files in and below them. */
function listFolders(files: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const folders = new Map<string, string[]>();
  for (const path of files) {
    const parts = path.split("/").slice(0, -1);
    for (const at of parts.keys()) {
      const folder = parts.slice(0, at + 1).join("/");
      folders.getOrInsertComputed(folder, () => []).push(path);
    }
  }
  const { min, max } = folderFiles;
  return [...folders].filter(([, { length }]) => length >= min && length <= max);
}

async function listPresent(pool: Pool, { id }: KnownRepository): Promise<readonly string[]> {
  const head = await pool.authorship.head(id);
  const blocks: readonly PathBlock[] = await pool.authorship.blocks(
    id,
    0,
    head?.blocks.length ?? 0,
  );
  return blocks.flatMap(({ paths, flags }) =>
    paths.filter((_, at) => ((flags[at] ?? 0) & pathFlags.isPresent) !== 0),
  );
}

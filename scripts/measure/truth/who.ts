import { readShippedModel } from "../../../src/analysis/model.ts";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { type FileSelection, measureKnowledge } from "../../../src/knowledge/measure-knowledge.ts";
import { findReach } from "../../../src/knowledge/ownership/ownership.ts";
import { groupFiles } from "../../../src/knowledge/ownership/ownership-drift.ts";
import { selectNumbers, selectPaths } from "../../../src/knowledge/select-files.ts";
import {
  type AuthorshipHead,
  type PathBlock,
  type Pool,
  pathFlags,
} from "../../../src/pool/pool.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { ingestPool } from "../ingested-pool.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast } from "../rows.ts";
import { whoMethods } from "../who-methods.ts";

const ranks = [1, 3, 5];
const yearDays = 365;
/** Folders with fewer commits before that day are left out. */
const commitsMin = 20;

export const measurement = defineMeasurement({
  about: "Who knows components and folders, against their owners and later authors.",
  takes: "PATH...",
  run: ({ paths }) => truthOfWho(paths),
});

/**
 * Compares `who_knows` and other methods with two truths.
 *
 * Owners: the components that a repository's ownership files assign to people. A method finds a component if an owner is
 * among its first 1, 3 or 5 people. Owners that history does not know are left out for every method. Rows that history cannot
 * answer are counted apart, too: nobody whom they name ever changed the files, all of these have left, or a further owner is
 * a team or unknown, and may be the person found.
 *
 * Next year: each folder with 20 commits or more up to 12 months before the last commit, asked as of that day. A method
 * finds a folder if the person with most commits to it in the following 12 months is among its first three. Commits that
 * mostly change other files do not count there: who raised a version everywhere did not work on each folder.
 * @param paths clones, bare mirrors, or folders that contain some.
 */
async function truthOfWho(paths: readonly string[]): Promise<Findings> {
  const today = new Date().toISOString().slice(0, 10);
  const pool = await ingestPool(repositoriesAt(paths), createVocabulary(), today);
  try {
    const owners = await readComponents(pool);
    const folders = await readFolders(pool);
    const found = Object.entries(whoMethods).map(([name, rank]) => {
      const places = owners.components.map(({ files, asOfDay, owners }) => {
        const place = rank(files, asOfDay).findIndex((login) => owners.has(login));
        return place === -1 ? Number.POSITIVE_INFINITY : place;
      });
      const next = folders.map(({ files, asOfDay, next }) =>
        rank(files, asOfDay)
          .slice(0, 3)
          .some((login) => next.has(login)),
      );
      const ofOwners = ranks.map((rank) => share(places.map((place) => place < rank)));
      return { name, places, next, ofOwners, ofNext: share(next) };
    });
    const [own] = found;
    if (!own) throw new Error("There are methods.");
    const rivals = found.filter(({ name }) => ["plain commits", "last committer"].includes(name));
    const margin = own.ofNext - Math.max(...rivals.map(({ ofNext }) => ofNext));
    const ofOwners = own.ofOwners[1] ?? 0;
    const kinds = owners.components.map(judgeRow);
    const answerable = own.places.filter((_, at) => kinds[at] === "answerable");
    const kindsFound = Object.entries(Object.groupBy(kinds, (kind) => kind));
    return {
      listing: [
        "method                  owner in first 1     3      5     next year's first",
        ...found.map(({ name, ofOwners, ofNext }) =>
          [name.padEnd(36), ...[...ofOwners, ofNext].map((one) => one.toFixed(3).padEnd(6))].join(
            " ",
          ),
        ),
      ],
      rows: [
        ...(owners.components.length > 0
          ? [atLeast(0.72, { name: "who.owners.first3", value: ofOwners })]
          : []),
        ...(answerable.length > 0
          ? [1, 3].map((rank) => ({
              name: `who.owners.answerable.first${rank}`,
              value: share(answerable.map((place) => place < rank)),
            }))
          : []),
        atLeast(0.6, { name: "who.next-year.first3", value: own.ofNext }),
        atLeast(0.001, { name: "who.next-year.margin", value: margin }),
      ],
      counts:
        `${owners.components.length} components with a known owner, ${owners.unknown} stated owners unknown to history; ` +
        `rows: ${kindsFound.map(([kind, rows]) => `${rows?.length} ${kind}`).join(", ")}; ` +
        `${folders.length} folders of ${new Set(folders.map(({ repository }) => repository)).size} repositories`,
      misses: owners.components.flatMap(({ name, owners, files, asOfDay }, at) => {
        if ((own.places[at] ?? 0) < 3) return [];
        const first = whoMethods["who_knows"]?.(files, asOfDay).slice(0, 3) ?? [];
        return [`${name}: owned by ${[...owners].join(", ")}, first are ${first.join(", ")}`];
      }),
    };
  } finally {
    await pool.close();
  }
}

function share(found: readonly boolean[]): number {
  return found.length === 0 ? 0 : found.filter(Boolean).length / found.length;
}

/** Whether history can answer a row, or why not. */
function judgeRow({ files, asOfDay, owners, isPartlyKnown }: Component): string {
  const constants = readShippedModel().knowledge;
  const { people } = measureKnowledge([files], { asOfDay, constants });
  const here = people.filter(({ login }) => owners.has(login));
  if (here.length === 0) return "never changed by an owner";
  if (here.every(({ hasLeft }) => hasLeft)) return "whose owners left";
  return isPartlyKnown ? "partly of unknown owners or teams" : "answerable";
}

interface Component {
  readonly name: string;
  readonly files: FileSelection;
  readonly asOfDay: number;
  /** Logins as in the pool, in lower case. */
  readonly owners: ReadonlySet<string>;
  /** Whether it has further owners, who are teams or unknown to history. */
  readonly isPartlyKnown: boolean;
}

/** Components are the rules of ownership files that name people, but for those of a whole repository. */
async function readComponents(
  pool: Pool,
): Promise<{ readonly components: readonly Component[]; readonly unknown: number }> {
  const known = await readAccounts(pool);
  const components: Component[] = [];
  const unknown = new Set<string>();
  for (const repository of await pool.authorship.repositories()) {
    const ownership = await pool.authorship.ownership(repository.id);
    const head = await pool.authorship.head(repository.id);
    if (!ownership || !head) continue;
    const blocks = await pool.authorship.blocks(repository.id, 0, head.blocks.length);
    const paths = blocks.flatMap((block) => block.paths);
    const present = blocks.flatMap(({ flags }) =>
      Array.from(flags, (bits) => (bits & pathFlags.isPresent) !== 0),
    );
    const read = (from: number, to: number) => pool.authorship.blocks(repository.id, from, to);
    const parts = groupFiles(ownership.rules, paths);
    for (const [number, rule] of ownership.rules.entries()) {
      const stated = rule.owners.flatMap((owner) => ("login" in owner ? [owner] : []));
      const found = stated.flatMap(({ login, person }) => {
        const own = person ?? known.get(login.toLowerCase());
        if (own === undefined) unknown.add(login.toLowerCase());
        return own ?? [];
      });
      const numbers = new Set(
        parts.flatMap(({ rules, files }) =>
          rules.includes(number) ? files.filter((file) => present[file]) : [],
        ),
      );
      if (found.length === 0 || numbers.size === 0 || findReach(rule) === "") continue;
      components.push({
        name: `${repository.name} ${rule.pattern}`,
        files: {
          repository: repository.id,
          head,
          files: await selectNumbers({ head, read }, numbers),
        },
        asOfDay: repository.lastDay,
        owners: new Set(found),
        isPartlyKnown: found.length < rule.owners.length,
      });
    }
  }
  return { components, unknown: unknown.size };
}

/**
 * @returns the login of a person by the login of a forge, in lower case. An account or a noreply address tells it; else
 * an address with the login as its local part, unless several people have one.
 */
async function readAccounts(pool: Pool): Promise<ReadonlyMap<string, string>> {
  const accounts = new Map<string, string>();
  const locals = new Map<string, Set<string>>();
  for await (const batch of pool.facts()) {
    for (const facts of batch) {
      const person = facts.login.toLowerCase();
      for (const login of listAccounts(facts)) accounts.set(login.toLowerCase(), person);
      for (const { address } of facts.emails) {
        const local = address.slice(0, address.lastIndexOf("@")).toLowerCase();
        locals.set(local, (locals.get(local) ?? new Set()).add(person));
      }
    }
  }
  const unique = [...locals].flatMap(([local, [person, ...others]]) =>
    person === undefined || others.length > 0 || accounts.has(local)
      ? []
      : [[local, person] as const],
  );
  return new Map([...unique, ...accounts]);
}

function listAccounts({ accounts = [], login, formerLogins = [] }: Facts): readonly string[] {
  return [...accounts.map((account) => account.login), login, ...formerLogins];
}

/** @returns the files at a path, as `measureKnowledge` takes them; undefined where there are none. */
async function selectFiles(pool: Pool, head: AuthorshipHead, repository: number, path: string) {
  const read = (from: number, to: number) => pool.authorship.blocks(repository, from, to);
  const { files } = await selectPaths({ head, read }, [path]);
  return files.length === 0 ? undefined : { repository, head, files };
}

interface AskedFolder {
  readonly repository: number;
  readonly files: FileSelection;
  readonly asOfDay: number;
  /** The people with most commits to the folder in the following year. */
  readonly next: ReadonlySet<string>;
}

async function readFolders(pool: Pool): Promise<readonly AskedFolder[]> {
  const found: AskedFolder[] = [];
  for (const repository of await pool.authorship.repositories()) {
    const head = await pool.authorship.head(repository.id);
    if (!head) continue;
    const asOfDay = repository.lastDay - yearDays;
    const blocks = await pool.authorship.blocks(repository.id, 0, head.blocks.length);
    for (const [folder, { before, after }] of countByFolder(head, blocks, asOfDay)) {
      if (before.size < commitsMin || after.size === 0) continue;
      const counts = new Map<string, number>();
      for (const [commit, { login, files }] of after) {
        if (files * 2 < (head.columns.files[commit] ?? 0)) continue;
        counts.set(login, (counts.get(login) ?? 0) + 1);
      }
      if (counts.size === 0) continue;
      const most = Math.max(...counts.values());
      const next = new Set([...counts].filter(([, n]) => n === most).map(([login]) => login));
      const files = await selectFiles(pool, head, repository.id, folder);
      if (files) found.push({ repository: repository.id, files, asOfDay, next });
    }
  }
  return found;
}

/** A commit to a folder, and how many files there it changed. */
interface FolderCommit {
  readonly login: string;
  files: number;
}

/** Finds for each folder the commits of known people before and after the day. */
function countByFolder(head: AuthorshipHead, blocks: readonly PathBlock[], asOfDay: number) {
  const { day, author } = head.columns;
  const folders = new Map<string, { before: Set<number>; after: Map<number, FolderCommit> }>();
  for (const { paths, starts, commit } of blocks) {
    for (const [file, path] of paths.entries()) {
      const parts = path.split("/").slice(0, -1);
      const names = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
      for (let at = starts[file] ?? 0; at < (starts[file + 1] ?? 0); at++) {
        const number = commit[at] ?? 0;
        const login = head.logins[author[number] ?? -1];
        if (login === undefined) continue;
        for (const name of names) {
          const folder = folders.get(name) ?? { before: new Set(), after: new Map() };
          folders.set(name, folder);
          if ((day[number] ?? 0) <= asOfDay) folder.before.add(number);
          else folder.after.getOrInsertComputed(number, () => ({ login, files: 0 })).files += 1;
        }
      }
    }
  }
  return folders;
}

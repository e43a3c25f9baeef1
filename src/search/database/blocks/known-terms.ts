/** Caches the lists that a node has read, because most queries use the same lists. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { RecentlyUsed } from "../../../contract/recently-used.ts";
import { isAnyOf } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import type { PostingsKey } from "../../generation/generation.ts";
import type { Lists } from "../../generation/lists.ts";
import { listRepositoryStarts } from "../../generation/repositories.ts";
import { hashKey, type StoredGeneration } from "../generation-rows.ts";
import { terms } from "../tables.ts";
import { type BlockList, emptyList, type FewPeople, type TermList } from "./block-list.ts";

export interface TermReader {
  readonly statements: Statements;
  /** Whether no developer is in all of these lists. */
  isNobody(lists: readonly BlockList[]): Promise<boolean>;
}

export interface KnownTerms {
  /** Runs `work`, then reads the lists that it asked for and the cache lacks. Repeats both until no list is missing. */
  resolve<Result>(reader: TermReader, work: (lists: Lists<BlockList>) => Result): Promise<Result>;
}

const cachedBytesMax = 16 * 2 ** 20;

type Cached = BlockList | ReadonlyMap<string, number>;

/** The lists that `work` asked for and the cache lacks. */
interface Missing {
  readonly keys: Set<PostingsKey>;
  readonly others: Map<string, () => Promise<Cached>>;
}

export function createKnownTerms({ id }: StoredGeneration): KnownTerms {
  const cached = new RecentlyUsed<Cached>(cachedBytesMax);
  return {
    async resolve(reader, work) {
      // A request keeps its own lists, even if the cache drops them meanwhile.
      const own = new Map<string, Cached>();
      for (;;) {
        const missing: Missing = { keys: new Set(), others: new Map() };
        const get = (name: string) => own.get(name) ?? cached.get(name);
        const result = work(createLists(get, missing, id, reader));
        const { keys, others } = missing;
        if (keys.size === 0 && others.size === 0) return result;
        const found: [string, Cached][] = [...(await readTerms(reader.statements, id, [...keys]))];
        for (const [name, read] of others) found.push([name, await read()]);
        for (const [name, value] of found) {
          own.set(name, value);
          cached.set(name, value, name.length + countBytes(value));
        }
      }
    },
  };
}

function countBytes(value: Cached): number {
  if ("size" in value) return 100 * value.size;
  if (value.kind === "term") return 100 + 5 * (value.few?.ordinals.length ?? 0);
  return value.lists.reduce((sum, list) => sum + countBytes(list), 100);
}

/** Creates the lists for `work`. A list that is not cached is recorded as missing, and is empty for now. */
function createLists(
  get: (name: string) => Cached | undefined,
  missing: Missing,
  generation: number,
  { statements, isNobody }: TermReader,
): Lists<BlockList> {
  const find = <Value extends Cached>(name: string, read: () => Promise<Value>) => {
    const known = get(name);
    if (!known) missing.others.set(name, read);
    return known as Value | undefined;
  };
  const sum = (lists: readonly BlockList[]) => lists.reduce((count, list) => count + list.count, 0);
  return {
    empty: emptyList,
    postings(key) {
      const known = get(key);
      if (!known) missing.keys.add(key);
      return (known as BlockList | undefined) ?? emptyList;
    },
    join: (lists) => ({ kind: "joined", count: sum(lists), lists }),
    intersect(lists) {
      const [only] = lists;
      if (!only || lists.some(({ count }) => count === 0)) return emptyList;
      if (lists.length === 1) return only;
      const common = { kind: "common", count: 1, lists } as const;
      const name = `common ${lists.map((list) => (list as TermList).term).join(" ")}`;
      return find(name, async () => ((await isNobody([common])) ? emptyList : common)) ?? emptyList;
    },
    repository(text) {
      const starts = listRepositoryStarts(text);
      const read = () => readRange(statements, generation, starts);
      return find(`range ${starts.join("\n")}`, read) ?? emptyList;
    },
    get peopleByPlace() {
      const read = () => readPeopleByPlace(statements, generation);
      return find("places", read) ?? new Map<string, number>();
    },
  };
}

async function readTerms(
  statements: Statements,
  generation: number,
  keys: readonly PostingsKey[],
): Promise<Map<string, BlockList>> {
  const found = new Map<string, BlockList>(keys.map((key) => [key, emptyList]));
  if (keys.length === 0) return found;
  const rows = await statements
    .select()
    .from(terms)
    .where(and(eq(terms.generation, generation), isAnyOf(terms.key, keys)));
  for (const { key, people, ordinals, strengths } of rows) {
    const few = ordinals ? toFew(ordinals, strengths ?? undefined) : undefined;
    found.set(key, { kind: "term", count: people, term: hashKey(key, generation), few });
  }
  return found;
}

function toFew(ordinals: Buffer, strengths: Buffer | undefined): FewPeople {
  return { ordinals: new Uint32Array(new Uint8Array(ordinals).buffer), strengths };
}

/** @param starts the beginnings of the keys to read. */
async function readRange(
  statements: Statements,
  generation: number,
  starts: readonly PostingsKey[],
): Promise<BlockList> {
  const lists: BlockList[] = [];
  for (const start of starts) {
    const [row] = await statements
      .select({
        people: sql<number>`coalesce(sum(${terms.people}), 0)::int`,
        ordinals: sql<Buffer | null>`string_agg(${terms.ordinals}, ''::bytea)`,
        many: sql<
          string[] | null
        >`array_agg(${terms.key}) FILTER (WHERE ${terms.ordinals} IS NULL)`,
      })
      .from(terms)
      .where(and(eq(terms.generation, generation), matchesStart(terms.key, start)));
    if (!row) continue;
    const { people, ordinals, many } = row;
    for (const key of many ?? []) {
      lists.push({ kind: "term", count: people, term: hashKey(key, generation), few: undefined });
    }
    if (ordinals) lists.push(gatherFew(ordinals));
  }
  return { kind: "gathered", count: lists.length, lists };
}

/** Combines several short lists into one without strengths. */
function gatherFew(ordinals: Buffer): TermList {
  const all = toFew(ordinals, undefined).ordinals.sort();
  const once = all.filter((ordinal, at) => ordinal !== all[at - 1]);
  const few = { ordinals: once, strengths: undefined };
  return { kind: "term", count: once.length, term: "", few };
}

/** The condition that a text begins with `start`. */
export function matchesStart(column: SQL | typeof terms.key, start: string): SQL | undefined {
  return and(sql`${column} >= ${start}`, sql`${column} < ${`${start}\u{10ffff}`}`);
}

async function readPeopleByPlace(
  statements: Statements,
  generation: number,
): Promise<ReadonlyMap<string, number>> {
  const kind = "place:";
  const rows = await statements
    .select({ key: terms.key, people: terms.people })
    .from(terms)
    .where(and(eq(terms.generation, generation), matchesStart(terms.key, kind)))
    .orderBy(terms.key);
  return new Map(rows.map(({ key, people }) => [key.slice(kind.length), people]));
}

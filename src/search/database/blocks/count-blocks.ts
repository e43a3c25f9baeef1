import { type SQL, sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import type { Clause } from "../../select.ts";
import type { StoredGeneration } from "../generation-rows.ts";
import { type BlockList, listTerms, type MadeList, type TermList } from "./block-list.ts";
import { toWords } from "./read-blocks.ts";

export interface BlockCount {
  readonly block: number;
  readonly people: number;
  /** The developers that the query finds, if requested. */
  readonly bits: Uint32Array | undefined;
  /** The highest score of a developer of the block in a search for one list only. The key is the number of that list. */
  readonly ceilings: ReadonlyMap<string, number>;
}

interface CountQuery {
  /** Blocks to skip. */
  readonly except: readonly number[];
  readonly clauses: readonly Clause<BlockList>[];
  /** Long lists that affect the score. */
  readonly scoring: readonly TermList[];
  /** Whether to also return the developers found, as bits. */
  readonly isSelected: boolean;
}

/**
 * Counts, in each block, the developers that fulfill all clauses. Reads only long lists. The caller must exclude blocks with
 * developers of short lists.
 */
export async function countBlocks(
  statements: Statements,
  { id, blockSize, developers }: Pick<StoredGeneration, "id" | "blockSize" | "developers">,
  { except, clauses, scoring, isSelected }: CountQuery,
): Promise<readonly BlockCount[]> {
  if (except.length * blockSize >= developers) return [];
  const columns = new Columns(id, blockSize);
  const selected = columns.intersect(clauses);
  if (!selected) return [];
  const bits = isSelected ? sql`varbit_send(selected)` : sql`NULL::bytea`;
  const names = scoring.map((_, at) => sql.identifier(`ceiling_${at}`));
  const ceilings = scoring.map(
    ({ term }, at) => sql`${columns.readParts(sql`ceiling`, [term])} AS ${names[at]}`,
  );
  // Citus accepts a subquery that refers to an outer row only if that row comes from a table.
  const rows = (await statements.execute(sql`
    SELECT block, people, ${bits} AS bits
      ${sql.join(names.map((name) => sql`, ${name}`))}
    FROM (
      SELECT *, bit_count(selected)::int AS people
      FROM (
        SELECT *, ${selected} AS selected
        FROM (
          SELECT ${sql.join([sql`block`, ...columns.list(), ...ceilings], sql`, `)}
          FROM search.block AS counted
          WHERE generation = ${id} AND NOT block = ANY (${toArray(except)})
          OFFSET 0
        ) AS lists
        OFFSET 0
      ) AS selections
      OFFSET 0
    ) AS counts WHERE people > 0 ORDER BY block`)) as unknown as CountedRow[];
  return rows.map((row) => ({
    block: row.block,
    people: row.people,
    bits: row.bits ? toWords(row.bits) : undefined,
    ceilings: new Map(
      scoring.flatMap((list, at) => {
        const found = row[`ceiling_${at}`];
        return found == null ? [] : [[list.term, found] as const];
      }),
    ),
  }));
}

interface CountedRow {
  readonly block: number;
  readonly people: number;
  readonly bits: Buffer | null;
  readonly [ceiling: `ceiling_${number}`]: number | null;
}

/** Builds SQL columns for one block. Each column is a bitset, the union of some long lists. */
class Columns {
  private readonly generation: number;
  private readonly blockSize: number;
  private readonly names = new Map<string, SQL>();

  constructor(generation: number, blockSize: number) {
    this.generation = generation;
    this.blockSize = blockSize;
  }

  list(): readonly SQL[] {
    return [...this.names].map(([terms, name]) => {
      const bits = sql`coalesce(bits, packed_bits)`;
      const all = terms.split(" ");
      return sql`${this.readParts(all.length > 1 ? sql`bit_or(${bits})` : bits, all)} AS ${name}`;
    });
  }

  /** Returns SQL that reads `what` from the rows of these lists in the current block. */
  readParts(what: SQL, terms: readonly string[]): SQL {
    const [only] = terms;
    const isAsked =
      terms.length > 1 ? sql`= ANY (${toArray(terms, "BIGINT")})` : sql`= ${only}::bigint`;
    return sql`(
      SELECT ${what} FROM search.block_list AS part
      WHERE part.generation = ${this.generation} AND part.term ${isAsked} AND part.block = counted.block)`;
  }

  /** Returns SQL for the developers that fulfill all clauses. Returns undefined if no developer can fulfill them. */
  intersect(clauses: readonly Clause<BlockList>[]): SQL | undefined {
    const parts = clauses.map((clause) => this.unite(clause)).filter((part) => part !== undefined);
    return parts.length < clauses.length ? undefined : sql`(${sql.join(parts, sql` & `)})`;
  }

  private unite(lists: readonly BlockList[]): SQL | undefined {
    const { terms, commons } = flatten(lists);
    const own = terms.length > 0 ? [this.column(terms)] : [];
    const others = commons.map((common) => this.intersect(common.lists.map((list) => [list])));
    return this.any([...own, ...others.filter((part) => part !== undefined)]);
  }

  private any(parts: readonly SQL[]): SQL | undefined {
    const [only] = parts;
    if (parts.length < 2) return only;
    const nobody = sql`repeat('0', ${this.blockSize}::int)::bit varying`;
    return sql`(${sql.join(
      parts.map((part) => sql`coalesce(${part}, ${nobody})`),
      sql` | `,
    )})`;
  }

  private column(terms: readonly string[]): SQL {
    const key = terms.toSorted().join(" ");
    return this.names.getOrInsertComputed(
      key,
      () => sql`${sql.identifier(`bits_${this.names.size}`)}`,
    );
  }
}

/** Splits a union of lists into the numbers of its long lists and its lists of kind `common`. */
function flatten(lists: readonly BlockList[]) {
  const terms = new Set<string>();
  const commons: MadeList[] = [];
  const add = (list: BlockList) => {
    if (list.kind === "common") commons.push(list);
    else if (list.kind !== "term") list.lists.forEach(add);
    else if (!list.few) terms.add(list.term);
  };
  lists.forEach(add);
  return { terms: [...terms], commons };
}

/** Returns the blocks that contain developers of a short list. */
export function findBlocksOfFew(
  clauses: readonly Clause<BlockList>[],
  blockSize: number,
): ReadonlySet<number> {
  const blocks = new Set<number>();
  for (const list of clauses.flat()) {
    for (const { few } of listTerms(list)) {
      const ordinals = few?.ordinals ?? new Uint32Array(0);
      for (let at = 0; at < ordinals.length; at++) {
        blocks.add(Math.floor((ordinals[at] as number) / blockSize));
      }
    }
  }
  return blocks;
}

import { type SQL, sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import type { Clause } from "../../select.ts";
import type { StoredGeneration } from "../generation-rows.ts";
import { type BlockList, listTerms, type MadeList, type TermList } from "./block-list.ts";
import { keptBlocks, toWords } from "./read-blocks.ts";

export interface BlockCount {
  readonly block: number;
  readonly people: number;
  /** Who they are, where the node would have to read more to find that out. */
  readonly bits: Uint32Array | undefined;
  /** Of each list of many that scores, by its number: the highest score by it alone. */
  readonly ceilings: ReadonlyMap<string, number>;
}

/**
 * Counts who fulfils all clauses in each block, as if nobody were in the lists of few: so it is right for blocks in which
 * they have nobody. The database is not asked when no block is wanted.
 *
 * @param scoring lists of many.
 * @param except blocks that are not wanted.
 */
export async function countBlocks(
  statements: Statements,
  { id, blockSize, developers }: Pick<StoredGeneration, "id" | "blockSize" | "developers">,
  clauses: readonly Clause<BlockList>[],
  {
    scoring,
    except,
  }: { readonly scoring: readonly TermList[]; readonly except: readonly number[] },
): Promise<readonly BlockCount[]> {
  if (except.length * blockSize >= developers) return [];
  const columns = new Columns(blockSize);
  const selected = clauses.map((clause) => columns.unite(clause));
  const needed = selected.filter((bits) => bits !== undefined);
  if (needed.length < clauses.length) return [];
  const names = scoring.map((_, at) => sql.identifier(`ceiling_${at}`));
  const ceilings = scoring.map((list, at) => {
    const isIt = sql`term = ${list.term}::bigint`;
    return sql`max(ceiling) FILTER (WHERE ${isIt}) AS ${names[at]}`;
  });
  const isMuchRead = columns.terms.size > keptTerms;
  const isDeep = scoring.length >= deepScoring;
  const asked = new Set([...columns.terms, ...scoring.map((list) => list.term)]);
  const rows = (await statements.execute(sql`
    SELECT * FROM (
      SELECT block, bit_count(selected)::int AS people,
        CASE WHEN block < ${isMuchRead ? keptBlocks : 0} OR block >= ${isDeep ? keptBlocks : noBlock} THEN varbit_send(selected) END AS bits
        ${sql.join(names.map((name) => sql`, ${name}`))}
      FROM (
        SELECT block, ${sql.join(needed, sql` & `)} AS selected ${sql.join(names.map((name) => sql`, ${name}`))}
        FROM (
          SELECT block, ${sql.join([...columns.list(), ...ceilings], sql`, `)}
          FROM search.block_list
          WHERE generation = ${id} AND term = ANY (${toArray(asked, "BIGINT")})
            AND NOT block = ANY (${toArray(except)})
          GROUP BY block
        ) AS lists
        OFFSET 0
      ) AS selections
    ) AS counted WHERE people > 0 ORDER BY block`)) as unknown as CountedRow[];
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

/** In the first blocks, a node selects from the parts that it keeps, unless more lists than these are asked for. */
const keptTerms = 12;
/** Where so many lists decide the order, nearly all blocks are ranked, also those of which the node keeps nothing. */
const deepScoring = 3;
const noBlock = 2 ** 31 - 1;

/** The bits of lists of many as columns: each is the union of some terms, which one aggregate makes. */
class Columns {
  readonly terms = new Set<string>();
  private readonly blockSize: number;
  private readonly names = new Map<string, SQL>();

  constructor(blockSize: number) {
    this.blockSize = blockSize;
  }

  list(): readonly SQL[] {
    return [...this.names].map(
      ([terms, name]) =>
        sql`bit_or(coalesce(bits, packed_bits)) FILTER (WHERE term = ANY (${toArray(terms.split(" "), "BIGINT")})) AS ${name}`,
    );
  }

  /** Whoever is in any of the lists; undefined for nobody. It is NULL for a block where nobody is in any. */
  unite(lists: readonly BlockList[]): SQL | undefined {
    const { terms, commons } = flatten(lists);
    const own = terms.length > 0 ? [this.column(terms)] : [];
    const others = commons.map((common) => this.intersect(common.lists));
    const parts = [...own, ...others.filter((part) => part !== undefined)];
    const [only] = parts;
    if (parts.length < 2) return only;
    const none = sql`repeat('0', ${this.blockSize}::int)::bit varying`;
    return sql`(${sql.join(
      parts.map((part) => sql`coalesce(${part}, ${none})`),
      sql` | `,
    )})`;
  }

  private intersect(lists: readonly BlockList[]): SQL | undefined {
    const parts = lists.map((list) => this.unite([list])).filter((part) => part !== undefined);
    return parts.length < lists.length ? undefined : sql`(${sql.join(parts, sql` & `)})`;
  }

  private column(terms: readonly string[]): SQL {
    for (const term of terms) this.terms.add(term);
    const key = terms.toSorted().join(" ");
    return this.names.getOrInsertComputed(
      key,
      () => sql`${sql.identifier(`bits_${this.names.size}`)}`,
    );
  }
}

/** The terms with many people of which a union is made, and what it has besides. */
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

/** The blocks in which any list of few has somebody. */
export function listBlocksOfFew(
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

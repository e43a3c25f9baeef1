import { sql } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import type { IndexShape } from "../generation-rows.ts";
import { blockLists, sparseLists, terms } from "../tables.ts";

/**
 * Counts the developers of every key, and stores the key's list for searches. A short list becomes one row. A long list becomes
 * rows of bits, one for each block.
 * @package
 */
export async function gatherLists(
  orm: Statements,
  generation: number,
  { blockSize, listMax }: IndexShape,
): Promise<void> {
  await orm.execute(sql`ANALYZE ${sparseLists}`);
  await orm.execute(sql`
    INSERT INTO ${terms} (generation, key, people, ordinals, strengths)
    SELECT ${generation}::int, key, people, CASE WHEN is_list THEN ordinals END, CASE WHEN is_list THEN strengths END
    FROM (
      SELECT key, sum(people)::int AS people, sum(people) <= ${listMax} AND count(ordinals) = count(*) AS is_list,
        string_agg(ordinals, ''::bytea ORDER BY block) AS ordinals,
        string_agg(strengths, ''::bytea ORDER BY block) AS strengths
      FROM ${sparseLists} GROUP BY key
    ) AS merged
    ORDER BY key`);
  // An ordinal has four bytes, the lowest first. The comment on `bits` in tables.ts explains the order of bits.
  const byte = (at: number) => sql`get_byte(part.ordinals, 4 * at + ${at})`;
  const ordinal = sql`(${byte(0)} + (${byte(1)} << 8) + (${byte(2)} << 16) + (${byte(3)} << 24))`;
  await orm.execute(sql`
    WITH nobody AS MATERIALIZED (SELECT repeat('0', ${blockSize}::int)::bit varying AS bits)
    INSERT INTO ${blockLists} (generation, term, block, packed_bits, strengths, ceiling)
    SELECT ${generation}::int, part.term, part.block,
      (SELECT bit_or(set_bit(nobody.bits, (${ordinal} - part.block * ${blockSize}::int) # 7, 1))
        FROM nobody, generate_series(0, part.people - 1) AS at),
      part.strengths, part.ceiling
    FROM ${sparseLists} AS part JOIN ${terms} AS term ON term.generation = ${generation}::int AND term.key = part.key
    WHERE term.ordinals IS NULL AND part.ordinals IS NOT NULL`);
}

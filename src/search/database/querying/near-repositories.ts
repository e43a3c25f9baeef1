import { and, asc, desc, eq, gte, lt, type SQL } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Statements } from "../../../postgres/database.ts";
import { getSimilarRanges, listSimilarNames, neighbours } from "../../generation/repositories.ts";
import { matchesStart } from "../blocks/known-terms.ts";
import { terms } from "../tables.ts";

/** @package Names known repositories that are like an unknown one, as the index in memory does. */
export async function suggestUnknown(
  statements: Statements,
  generation: number,
  text: string,
): Promise<readonly string[]> {
  const { key, people } = terms;
  const { same, near, kind } = getSimilarRanges(text);
  const readKeys = async (where: SQL | undefined, order: SQL[], limit: number) => {
    const rows = await statements
      .select({ key })
      .from(terms)
      .where(and(eq(terms.generation, generation), where))
      .orderBy(...order)
      .limit(limit);
    return rows.map((row) => row.key);
  };
  const max = limits.suggestionsMax;
  const [elsewhere, before, after] = await Promise.all([
    readKeys(matchesStart(same), [desc(people), asc(key)], max),
    readKeys(and(matchesStart(kind), lt(key, near)), [desc(key)], neighbours),
    readKeys(and(matchesStart(kind), gte(key, near)), [asc(key)], neighbours),
  ]);
  const around = [...before.reverse(), ...after];
  return listSimilarNames(text, elsewhere, around, max).map(({ name }) => name);
}

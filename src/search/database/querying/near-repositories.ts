import { and, asc, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import {
  getSimilarRanges,
  listSimilarNames,
  listsForName,
  neighbours,
  ownersMax,
  readBeginning,
} from "../../generation/repositories.ts";
import { matchesStart } from "../blocks/known-terms.ts";
import type { SearchedIndex } from "../generation-in-use.ts";
import type { StoredGeneration } from "../generation-rows.ts";
import { terms } from "../tables.ts";

/** @package Suggests known repositories with names similar to an unknown name. */
export async function suggestUnknown(
  index: SearchedIndex,
  text: string,
): Promise<readonly string[]> {
  const found = await findSimilar(index, text, limits.suggestionsMax);
  return found.map(({ name }) => name);
}

/** @package Suggests repositories as `suggestUnknown` does, and says how well each name fits. */
export async function findSimilar(
  index: SearchedIndex,
  text: string,
  max: number,
): Promise<ReturnType<typeof listSimilarNames>> {
  const { key, people } = terms;
  const { same, near, kind } = getSimilarRanges(text);
  const readKeys = (where: SQL | undefined, order: SQL[], limit: number) =>
    listKeys(index, where, order, limit);
  const [elsewhere, before, after] = await Promise.all([
    readKeys(matchesStart(key, same), [desc(people), asc(key)], max),
    readKeys(and(matchesStart(key, kind), lt(key, near)), [desc(key)], neighbours),
    readKeys(and(matchesStart(key, kind), gte(key, near)), [asc(key)], neighbours),
  ]);
  return listSimilarNames(text, elsewhere, [...before].reverse().concat(after), max);
}

/**
 * @package Returns keys of repositories with a name or owner that begins with a text. Repositories with the most people come
 * first. Several keys may share one name.
 */
export async function listKeysLike(
  index: SearchedIndex,
  text: string,
  limit: number,
): Promise<readonly string[]> {
  const { start, owners, owner } = readBeginning(text);
  const readLargest = async (where: SQL | undefined) => {
    const max = limit * listsForName;
    const order = [desc(terms.people), asc(terms.key)];
    const own = and(isRepository, where);
    // Look first only at repositories with many people. A short beginning matches very many repositories, and most have one
    // person.
    const known = await listKeys(index, and(own, isKnown), order, max);
    return known.length === max ? known : listKeys(index, own, order, max);
  };
  if (owners?.length === 0) return [];
  if (owners) return readLargest(and(matchesStart(terms.key, start), or(...owners.map(isOwnedBy))));
  const named = await readLargest(matchesStart(terms.key, start));
  if (owner === "" || !(await hasFewRepositories(index))) return named;
  return [...new Set([...named, ...(await readLargest(isOwnedBy(owner)))])];
}

/** The condition of the partial indexes. It has no parameters, because PostgreSQL compares it with the text of the indexes. */
const isRepository = sql`${terms.key} >= 'repository:' AND ${terms.key} < 'repository<'`;
const isKnown = sql`${terms.people} >= 8`;

/** The part of the key after the name, written as in the index `term_owner`. */
const keyAfterName = sql`substr(${terms.key}, strpos(${terms.key}, E'\t') + 1)`;

function isOwnedBy(owner: string): SQL | undefined {
  return matchesStart(keyAfterName, owner);
}

/** Whether there are few enough repositories to compare the owners of all of them with a text. */
async function hasFewRepositories({ statements, generation }: SearchedIndex): Promise<boolean> {
  const known = fewness.get(generation);
  if (known !== undefined) return known;
  const all = statements
    .select({ key: terms.key })
    .from(terms)
    .where(and(eq(terms.generation, generation.id), isRepository))
    .limit(ownersMax + 1)
    .as("all");
  const [counted] = await statements.select({ n: sql<number>`count(*)::int` }).from(all);
  const isFew = (counted?.n ?? 0) <= ownersMax;
  fewness.set(generation, isFew);
  return isFew;
}

const fewness = new WeakMap<StoredGeneration, boolean>();

async function listKeys(
  { statements, generation }: SearchedIndex,
  where: SQL | undefined,
  order: SQL[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await statements
    .select({ key: terms.key })
    .from(terms)
    .where(and(eq(terms.generation, generation.id), where))
    .orderBy(...order)
    .limit(limit);
  return rows.map(({ key }) => key);
}

import { count, eq } from "drizzle-orm";
import type { Assessment } from "../../../contract/people/assessment.ts";
import type { PostgresDatabase } from "../../../postgres/database.ts";
import type { StoredDeveloper } from "../../pool.ts";
import { parseStored, unpackJson, unpackRankingFeatures } from "../../rows/pack-developer.ts";
import { cards, developers, dossiers, imports, rankingFeatures } from "../tables.ts";
import { findRows } from "./row-finder.ts";

export async function findStoredDeveloper(
  { orm }: PostgresDatabase,
  login: string,
): Promise<StoredDeveloper | undefined> {
  const [rowId] = await findRows(orm, [login]);
  if (rowId === undefined) return undefined;
  const [row] = await orm
    .select()
    .from(developers)
    .innerJoin(cards, eq(cards.rowId, developers.rowId))
    .innerJoin(rankingFeatures, eq(rankingFeatures.rowId, developers.rowId))
    .innerJoin(dossiers, eq(dossiers.rowId, developers.rowId))
    .where(eq(developers.rowId, rowId));
  if (!row) return undefined;
  const { developer, card, standing, dossier } = row;
  const readImport = async (id: number | null) => {
    if (id === null) return undefined;
    const [found] = await orm.select().from(imports).where(eq(imports.id, id));
    return found;
  };
  const original = await readImport(developer.importId);
  const confirmed = await readImport(developer.confirmedBy);
  const importedAt = original?.committedAt ?? "";
  const [rows] = await orm
    .select({ n: count() })
    .from(developers)
    .where(eq(developers.loginKey, developer.loginKey));
  return {
    facts: unpackJson(dossier.facts) as Assessment["facts"],
    analysis: unpackJson(dossier.analysis) as Assessment["analysis"],
    card: parseStored(card.card) as Assessment["card"],
    standing: unpackRankingFeatures(standing.standing, () => []),
    importedBy: original?.source ?? "",
    importedAt,
    confirmedAt: confirmed?.committedAt ?? importedAt,
    olderRows: (rows?.n ?? 1) - 1,
  };
}

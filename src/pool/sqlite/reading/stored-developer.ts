import { count, eq } from "drizzle-orm";
import { type Assessment, listWorkedRepositories } from "../../../contract/people/assessment.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { StoredDeveloper } from "../../pool.ts";
import { parseStored, unpackJson, unpackRankingFeatures } from "../../rows/pack-developer.ts";
import { cards, developers, dossiers, imports, rankingFeatures } from "../tables.ts";
import { createRowFinder } from "./row-finder.ts";

export function findStoredDeveloper(store: Database, login: string): StoredDeveloper | undefined {
  const { orm } = store;
  const rowId = createRowFinder(store).find(login);
  if (rowId === undefined) return undefined;
  const row = orm
    .select()
    .from(developers)
    .innerJoin(cards, eq(cards.rowId, developers.rowId))
    .innerJoin(rankingFeatures, eq(rankingFeatures.rowId, developers.rowId))
    .innerJoin(dossiers, eq(dossiers.rowId, developers.rowId))
    .where(eq(developers.rowId, rowId))
    .get();
  if (!row) return undefined;
  const { developer, card, standing, dossier } = row;
  const importOf = (id: number) => orm.select().from(imports).where(eq(imports.id, id)).get();
  const original = importOf(developer.importId);
  const confirmed = developer.confirmedBy === null ? undefined : importOf(developer.confirmedBy);
  const importedAt = original?.committedAt ?? "";
  const sameLogin = eq(developers.loginKey, developer.loginKey);
  const rows = orm.select({ n: count() }).from(developers).where(sameLogin).get()?.n ?? 1;
  const facts = unpackJson(dossier.facts) as Assessment["facts"];
  const analysis = unpackJson(dossier.analysis) as Assessment["analysis"];
  return {
    facts,
    analysis,
    card: parseStored(card.card) as Assessment["card"],
    standing: unpackRankingFeatures(standing.standing, () =>
      listWorkedRepositories(facts.repositories, analysis.asOf),
    ),
    importedBy: original?.source ?? "",
    importedAt,
    confirmedAt: confirmed?.committedAt ?? importedAt,
    olderRows: rows - 1,
  };
}

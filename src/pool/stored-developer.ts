import { and, count, eq } from "drizzle-orm";
import type { Assessment } from "../contract/people/assessment.ts";
import type { Database } from "../sqlite/database.ts";
import { unpackJson, unpackRankingFeatures } from "./pack-developer.ts";
import { toLoginKey } from "./read-pool.ts";
import { cards, developers, dossiers, imports, rankingFeatures } from "./tables.ts";
import { isVisible } from "./visible.ts";

/** What the pool holds of one developer: what the developer is shown on asking. */
export interface StoredDeveloper extends Assessment {
  /** Kind of import that brought it: git, import, demo. */
  readonly importedBy: string;
  /** When it was brought so, and when the same was brought last: ISO 8601, UTC. */
  readonly importedAt: string;
  readonly confirmedAt: string;
  /** Rows that newer ones replaced and that are not swept yet. */
  readonly olderRows: number;
}

/** @package */
export function findStoredDeveloper(store: Database, login: string): StoredDeveloper | undefined {
  const { orm } = store;
  const key = eq(developers.loginKey, toLoginKey(login));
  const row = orm
    .select()
    .from(developers)
    .innerJoin(cards, eq(cards.rowId, developers.rowId))
    .innerJoin(rankingFeatures, eq(rankingFeatures.rowId, developers.rowId))
    .innerJoin(dossiers, eq(dossiers.rowId, developers.rowId))
    .where(and(key, isVisible(store)))
    .get();
  if (!row) return undefined;
  const { developer, card, standing, dossier } = row;
  const importOf = (id: number) => orm.select().from(imports).where(eq(imports.id, id)).get();
  const brought = importOf(developer.importId);
  const confirmed = developer.confirmedBy === null ? undefined : importOf(developer.confirmedBy);
  const importedAt = brought?.committedAt ?? "";
  const rows = orm.select({ n: count() }).from(developers).where(key).get()?.n ?? 1;
  return {
    facts: unpackJson(dossier.facts) as Assessment["facts"],
    analysis: unpackJson(dossier.analysis) as Assessment["analysis"],
    card: JSON.parse(card.card) as Assessment["card"],
    standing: unpackRankingFeatures(standing.standing),
    importedBy: brought?.source ?? "",
    importedAt,
    confirmedAt: confirmed?.committedAt ?? importedAt,
    olderRows: rows - 1,
  };
}

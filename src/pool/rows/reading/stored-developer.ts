import { count, eq } from "drizzle-orm";
import { type Assessment, listWorkedRepositories } from "../../../contract/people/assessment.ts";
import { fetchRow, type Work } from "../../../queries/work.ts";
import type { StoredDeveloper } from "../../pool.ts";
import type { PoolQueries, PoolRows } from "../pool-context.ts";
import { unpackRankingFeatures } from "../ranking-features.ts";
import { parseStored, unpackJson } from "../unpack.ts";

export function* findStoredDeveloper(
  rows: PoolRows,
  login: string,
): Work<StoredDeveloper | undefined> {
  const { queries, tables } = rows;
  const { developers, cards, rankingFeatures, dossiers } = tables;
  const [rowId] = yield* rows.findRows([login]);
  if (rowId === undefined) return undefined;
  const row = yield* fetchRow(
    queries
      .select()
      .from(developers)
      .innerJoin(cards, eq(cards.rowId, developers.rowId))
      .innerJoin(rankingFeatures, eq(rankingFeatures.rowId, developers.rowId))
      .innerJoin(dossiers, eq(dossiers.rowId, developers.rowId))
      .where(eq(developers.rowId, rowId)),
  );
  if (!row) return undefined;
  const { developer, card, standing, dossier } = row;
  const original = yield* findImport(rows, developer.importId);
  const confirmed = yield* findImport(rows, developer.confirmedBy);
  const importedAt = original?.committedAt ?? "";
  const isSameLogin = eq(developers.loginKey, developer.loginKey);
  const counted = yield* fetchRow(
    queries.select({ n: count() }).from(developers).where(isSameLogin),
  );
  const facts = unpackJson(dossier.facts) as Assessment["facts"];
  const analysis = unpackJson(dossier.analysis) as Assessment["analysis"];
  return {
    facts,
    analysis,
    card: parseStored(card.card) as Assessment["card"],
    standing: unpackRankingFeatures(standing.standing, card.card, () =>
      listWorkedRepositories(facts.repositories, analysis.asOf),
    ),
    importedBy: original?.source ?? "",
    importedAt,
    confirmedAt: confirmed?.committedAt ?? importedAt,
    olderRows: (counted?.n ?? 1) - 1,
  };
}

function* findImport({ queries, tables: { imports } }: PoolQueries, id: number | null) {
  if (id === null) return undefined;
  return yield* fetchRow(queries.select().from(imports).where(eq(imports.id, id)));
}

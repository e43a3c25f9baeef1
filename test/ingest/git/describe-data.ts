/** What a pool and its ledger say, as text, so that two ways to the same facts can be compared. */
import { type Ledger, listLocations, readSummary } from "../../../src/ingest/ingest.ts";
import { type CommitColumns, commitFlags, type Pool } from "../../../src/pool/pool.ts";

/** Without the numbers of people; of those who took part, the reviewers that a forge tells. */
function describeColumns({ day, files, flags, others }: CommitColumns) {
  const isReview = (commit: number) => ((flags[commit] ?? 0) & commitFlags.isReview) !== 0;
  const reviewers = [...others.commit.filter(isReview)];
  return { day, files, flags, reviewers };
}

/** Everything that a pool and a ledger tell, as lines of text. */
export async function describeData({
  pool,
  ledger,
}: {
  readonly pool: Pool;
  readonly ledger: Ledger;
}): Promise<string> {
  const facts = (await Array.fromAsync(pool.facts())).flat().map((one) => JSON.stringify(one));
  const analyses = await pool.findAnalyses(await pool.logins());
  const repositories = await pool.authorship.repositories();
  const authorship = await Promise.all(
    repositories.map(async ({ id, ...repository }) => ({
      ...repository,
      // Without the numbers of nobody: who was erased keeps one until the repository is stored again.
      logins: (await pool.authorship.logins(id))?.filter((login) => login !== undefined),
      ownership: await pool.authorship.ownership(id),
      blocks: await pool.authorship.blocks(id, 0, 9),
      columns: await pool.authorship.head(id).then((head) => head && describeColumns(head.columns)),
    })),
  );
  return [
    ...facts,
    ...analyses.map((one) => JSON.stringify(one)),
    JSON.stringify(authorship, undefined, 1),
    ...listLocations(ledger).map(
      (place) => `${place.path}: ${JSON.stringify(readSummary(ledger, place))}`,
    ),
  ].join("\n");
}

export function showDifference(one: string, other: string): string {
  const [left, right] = [one.split("\n"), other.split("\n")];
  return [
    ...left
      .filter((line) => !right.includes(line))
      .map((line) => `by runs: ${line.slice(0, 1500)}`),
    ...right
      .filter((line) => !left.includes(line))
      .map((line) => `anew:    ${line.slice(0, 1500)}`),
  ]
    .slice(0, 8)
    .join("\n");
}

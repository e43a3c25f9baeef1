/** What a pool and its ledger say, as text, so that two ways to the same facts can be compared. */
import { type Ledger, listLocations, readSummary } from "../../../src/ingest/ingest.ts";
import { type CommitColumns, commitFlags, type Pool } from "../../../src/pool/pool.ts";

/** Everything that a pool and a ledger tell, as lines of text. */
export async function describeData(data: { readonly pool: Pool; readonly ledger: Ledger }) {
  const { pool, ledger } = data;
  const facts = (await Array.fromAsync(pool.facts())).flat().map((one) => JSON.stringify(one));
  const summaries = listLocations(ledger).map(
    (place) => `${place.path}: ${JSON.stringify(readSummary(ledger, place))}`,
  );
  return [...facts, ...(await describePool(pool)), ...summaries].join("\n");
}

/** Analyses, and everything that `who` reads of each repository, with logins in place of numbers. */
export async function describePool(pool: Pool): Promise<readonly string[]> {
  const { authorship } = pool;
  const analyses = await pool.findAnalyses(await pool.logins());
  const repositories = await authorship.repositories();
  const read = await Promise.all(
    repositories.map(async ({ id, ...repository }) => {
      const head = await authorship.head(id);
      const toLogin = (number: number) => head?.logins[number] ?? null;
      const ownership = await authorship.ownership(id);
      return JSON.stringify({
        ...repository,
        columns: head && describeColumns(head.columns, toLogin),
        blocks: (await authorship.blocks(id, 0, head?.blocks.length ?? 0)).map((block) =>
          Object.entries(block).map(([key, values]) => [key, ...values]),
        ),
        ownership: ownership && {
          ...ownership,
          accountless: ownership.accountless.map(toLogin).sort(),
        },
      });
    }),
  );
  return [...analyses.map((one) => JSON.stringify(one)), ...read];
}

type ToLogin = (number: number) => string | null;

function describeColumns({ day, author, files, flags, others }: CommitColumns, toLogin: ToLogin) {
  const part = (at: number) => [
    others.commit[at],
    toLogin(others.author[at] ?? 0),
    others.kind[at],
  ];
  const isReview = (commit = 0) => ((flags[commit] ?? 0) & commitFlags.isReview) !== 0;
  return {
    ...{ day: [...day], files: [...files], flags: [...flags] },
    authors: [...author].map((number, commit) => (isReview(commit) ? null : toLogin(number))),
    // Of erased people a number may be left, which names nobody.
    others: [...others.commit.keys()]
      .map(part)
      .filter(([, login]) => login !== null)
      .map((one) => one.join(" "))
      .sort(),
  };
}

export function showDifferences(one: string, other: string): string {
  const [left, right] = [one.split("\n"), other.split("\n")];
  const tell = (who: string, lines: readonly string[], others: readonly string[]) =>
    lines
      .filter((line) => !others.includes(line))
      .map((line) => {
        const near = others.find((there) => there.slice(0, 20) === line.slice(0, 20)) ?? "";
        let at = 0;
        while (at < line.length && line[at] === near[at]) at += 1;
        return `${who} ${line.slice(0, 60)} ... ${line.slice(Math.max(0, at - 300), at + 600)}`;
      });
  return [...tell("by runs:", left, right), ...tell("anew:   ", right, left)]
    .slice(0, 12)
    .join("\n");
}

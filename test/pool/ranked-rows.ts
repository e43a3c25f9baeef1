import { expect } from "bun:test";
import type { Card } from "../../src/contract/people/developer.ts";
import type { FeatureRow, Pool, RankedRow } from "../../src/pool/pool.ts";
import { packFeatures, unpackRankingFeatures } from "../../src/pool/rows/ranking-features.ts";
import { buildGeneration } from "../../src/search/generation/build.ts";
import { invented } from "./invented.ts";

/** Reads the ranking features of these rows, or of all searchable ones. */
export async function readRankedRows(
  pool: Pick<Pool, "rankingFeatures">,
  rowIds?: Uint32Array,
): Promise<RankedRow[]> {
  const rows = (await Array.fromAsync(pool.rankingFeatures(rowIds))).flat();
  return rows.map(({ rowId, standing, readRepositories, card }) => ({
    rowId,
    standing: unpackRankingFeatures(standing, card, () => readRepositories?.(rowId) ?? []),
  }));
}

const cards: readonly Pick<Card, "login" | "company" | "followers">[] = [
  { login: "ada", company: 'Acme "]]", Inc', followers: 0 },
  { login: "ben", followers: 7 },
  { login: "cy" },
];

/**
 * Expects that company and followers are found in rows of a release that did not store them with the ranking features.
 * @param makeOld runs a statement on the stored rows.
 */
export async function expectOldRowsRead(
  pool: Pool,
  makeOld: (statement: string) => Promise<void> | void,
): Promise<void> {
  const load = await pool.beginImport("test");
  await load.put(
    cards.map((card) => {
      const made = invented(card);
      return { ...made, card: { ...made.card, ...card }, standing: { ...made.standing, ...card } };
    }),
  );
  await load.commit();
  const check = async () => {
    const stored = (await Array.fromAsync(pool.rankingFeatures())).flat();
    const asked = await Promise.all(cards.map(({ login }) => pool.findRankingFeatures(login)));
    const shown = [...(await readRankedRows(pool)), ...asked].map((row) => row?.standing);
    const known = shown.map((standing) => {
      const { login = "", company, followers } = standing ?? {};
      return { login, ...(company && { company }), ...(followers !== undefined && { followers }) };
    });
    expect(known).toEqual([...cards, ...cards]);
    const ancestors = () => [];
    const made = { revision: 1, edition: "" };
    const rankingFeatures = pool.rankingFeatures();
    const { columns, postings } = await buildGeneration({ rankingFeatures, ancestors, made });
    expect([...columns.followers].toSorted()).toEqual([0, 1, 8]);
    expect([postings("company:acme").count, postings("employed:yes").count]).toEqual([1, 1]);
    return stored.map(({ card }) => card != null);
  };
  expect(await check()).toEqual([false, false, false]);
  for (const { login, company, followers } of cards) {
    const end = JSON.stringify([company === undefined ? [] : [company], (followers ?? -1) + 1]);
    const from = `,${end.slice(1)}`;
    await makeOld(
      `UPDATE standing SET standing = replace(standing, '${from}', ']') WHERE standing LIKE '["${login}"%'`,
    );
  }
  expect(await check()).toEqual([true, true, true]);
}

/** The row as a pool streams it. */
export function toFeatureRow({ rowId, standing }: RankedRow): FeatureRow {
  return { rowId, standing: packFeatures(standing), readRepositories: () => [] };
}

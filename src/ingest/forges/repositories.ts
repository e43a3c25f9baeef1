/** Reads and writes the public repositories in forges.db. */
import type { ForgeRepository } from "./forge.ts";
import type { ForgeLedger } from "./forge-ledger.ts";
import { dropReviews } from "./reviews.ts";
import type { Walk } from "./walks.ts";

const parse = (facts: string) => JSON.parse(facts) as ForgeRepository;

/** @package Reads repositories, ordered by source and number. */
export function readRepositoryRows({ sqlite }: ForgeLedger) {
  return sqlite.readRows<{ source: string; forge: string; facts: string }>`
    SELECT source, forge, facts FROM repository JOIN source ON source.id = source
    ORDER BY source, number`.map(({ facts, ...row }) => ({ ...parse(facts), ...row }));
}

const urlsMax = 20;

/** @package */
export function putRepository(
  { ledger: { sqlite }, source, number: seen }: Walk,
  facts: ForgeRepository,
): void {
  const before = sqlite.readValue<string>`
    SELECT facts FROM repository WHERE source = ${source} AND number = ${facts.number}`;
  // Keeps the former addresses, because older clones of a renamed repository have them.
  const former = before === undefined ? [] : parse(before).urls;
  const urls = [...new Set([...facts.urls, ...former])].slice(0, urlsMax);
  sqlite.execute`
    INSERT INTO repository (source, number, facts, seen)
    VALUES (${source}, ${facts.number}, ${JSON.stringify({ ...facts, urls })}, ${seen})
    ON CONFLICT DO UPDATE SET facts = excluded.facts, seen = excluded.seen`;
}

export function listWalked({ ledger, source, number }: Walk): readonly ForgeRepository[] {
  return ledger.sqlite.readColumn<string>`
    SELECT facts FROM repository WHERE source = ${source} AND seen = ${number} ORDER BY number`.map(
    parse,
  );
}

/** Lists the repositories that a source has told of, by number. */
export function listOfSource({ sqlite }: ForgeLedger, source: string): readonly ForgeRepository[] {
  return sqlite.readColumn<string>`
    SELECT facts FROM repository WHERE source = ${source} ORDER BY number`.map(parse);
}

/** Finds a repository of a source by its name. Forges ignore case. @returns the name as the forge writes it. */
export function findRepositoryName(
  { sqlite }: ForgeLedger,
  source: string,
  name: string,
): string | undefined {
  return sqlite.readValue<string>`
    SELECT facts ->> '$.name' FROM repository
    WHERE source = ${source} AND lower(facts ->> '$.name') = ${name.toLowerCase()}`;
}

/** @package Removes repositories that this walk has not seen. */
export function dropOldRepositories({ ledger, source, number }: Walk): void {
  ledger.sqlite.execute`DELETE FROM repository WHERE source = ${source} AND seen < ${number}`;
  dropReviews(ledger, source);
}

/** @package */
export function dropOwned(ledger: ForgeLedger, source: string, owner: string): void {
  ledger.sqlite.execute`
    DELETE FROM repository WHERE source = ${source} AND facts ->> '$.owner' = ${owner}`;
  dropReviews(ledger, source);
}

import type { Assessment } from "../../contract/people/assessment.ts";
import { type Identifier, listSought, listStoredIdentifiers } from "../identifiers.ts";
import { hashIdentifiers } from "./hash-identifiers.ts";
import { packFindable } from "./pack-findable.ts";
import { packFeatures } from "./ranking-features.ts";

/** One developer as the tables store it. Equal hashes show that the stored row is the same. */
export interface PackedDeveloper {
  readonly login: string;
  readonly source: string;
  readonly searchable: boolean;
  readonly card: string;
  readonly standing: string;
  readonly facts: Buffer;
  readonly analysis: Buffer;
  readonly findable: string;
  readonly formerLogins: readonly string[];
  /** The identifiers to check against the suppression list. */
  readonly identifiers: readonly Identifier[];
  /** Hashes of the keys by which the row is found; see `listSought`. */
  readonly hashes: readonly number[];
  readonly factsHash: string;
  /** A hash of facts, analysis, card and ranking features. */
  readonly wholeHash: string;
}

export function packDeveloper(assessment: Assessment): PackedDeveloper {
  const { facts, analysis, card, standing } = assessment;
  const texts = {
    facts: JSON.stringify(facts),
    analysis: JSON.stringify(analysis),
    card: JSON.stringify(card),
    standing: packFeatures(standing),
  };
  return {
    login: facts.login,
    source: facts.source,
    searchable: standing.searchable,
    card: texts.card,
    standing: texts.standing,
    facts: compressed(texts.facts),
    analysis: compressed(texts.analysis),
    findable: packFindable(assessment),
    formerLogins: facts.formerLogins ?? [],
    identifiers: listStoredIdentifiers(facts),
    hashes: hashIdentifiers(listSought(facts)),
    ...hashPacked(texts),
  };
}

/** The limits of a transaction, so that it takes at most about 50 ms. */
const rowsPerTransaction = 100;
const bytesPerTransaction = 4 * 2 ** 20;

/** Packs developers before the transaction that stores them, so that no transaction waits for compression. */
export function* packInBatches(batch: readonly Assessment[]): Generator<PackedDeveloper[]> {
  let items: PackedDeveloper[] = [];
  let bytes = 0;
  for (const judged of batch) {
    const row = packDeveloper(judged);
    items.push(row);
    bytes += row.card.length + row.standing.length + row.facts.length + row.analysis.length;
    if (items.length < rowsPerTransaction && bytes < bytesPerTransaction) continue;
    yield items;
    items = [];
    bytes = 0;
  }
  if (items.length > 0) yield items;
}

export function hashPacked(
  texts: Readonly<Record<"facts" | "analysis" | "card" | "standing", string>>,
): Pick<PackedDeveloper, "factsHash" | "wholeHash"> {
  const factsHash = hashFacts(texts.facts);
  return { factsHash, wholeHash: hashOf(factsHash, texts.analysis, texts.card, texts.standing) };
}

/** @param text facts as `JSON.stringify` writes them. */
export function hashFacts(text: string): string {
  return hashOf(text);
}

/** Compresses with zstd level 1, because higher levels take longer and save nothing here. */
function compressed(text: string): Buffer {
  return Bun.zstdCompressSync(text, { level: 1 });
}

function hashOf(...texts: readonly string[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const text of texts) hasher.update(text).update("\n");
  return hasher.digest("base64url");
}

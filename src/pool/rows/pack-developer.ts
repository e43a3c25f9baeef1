import type {
  Assessment,
  NamedRepository,
  RankingFeatures,
} from "../../contract/people/assessment.ts";
import { type Identifier, listKeptIdentifiers } from "../identifiers.ts";
import { packFindable } from "./pack-findable.ts";

/**
 * One developer in the form of the columns, so that a thread can make it and another store it. The hashes show whether a
 * row is new.
 */
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
  /** What the suppression list is asked for. */
  readonly identifiers: readonly Identifier[];
  readonly factsHash: string;
  /** Of everything above: the same facts judged as of another day give another row. */
  readonly wholeHash: string;
}

export function packDeveloper(assessment: Assessment): PackedDeveloper {
  const { facts, analysis, card, standing } = assessment;
  const texts = {
    facts: JSON.stringify(facts),
    analysis: JSON.stringify(analysis),
    card: JSON.stringify(card),
    standing: packStanding(standing),
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
    identifiers: listKeptIdentifiers(facts),
    ...hashPacked(texts),
  };
}

/** A transaction within these bounds takes at most about 50 ms, even on a slow disk. */
const rowsPerTransaction = 100;
const bytesPerTransaction = 4 * 2 ** 20;

/** Packs what one transaction after the other is to write: outside of them, so that they do not wait for compression. */
export function* packInBatches(
  batch: readonly (Assessment | PackedDeveloper)[],
): Generator<PackedDeveloper[]> {
  let items: PackedDeveloper[] = [];
  let bytes = 0;
  for (const judged of batch) {
    const row = "wholeHash" in judged ? judged : packDeveloper(judged);
    items.push(row);
    bytes += row.card.length + row.standing.length + row.facts.length + row.analysis.length;
    if (items.length < rowsPerTransaction && bytes < bytesPerTransaction) continue;
    yield items;
    items = [];
    bytes = 0;
  }
  if (items.length > 0) yield items;
}

/** The hashes of a row, from its unpacked texts. */
export function hashPacked(
  texts: Readonly<Record<"facts" | "analysis" | "card" | "standing", string>>,
): Pick<PackedDeveloper, "factsHash" | "wholeHash"> {
  const factsHash = hashFacts(texts.facts);
  return { factsHash, wholeHash: hashOf(factsHash, texts.analysis, texts.card, texts.standing) };
}

/** @param text as `JSON.stringify` writes it. */
export function hashFacts(text: string): string {
  return hashOf(text);
}

/** A stored row that cannot have been written so. Its message has nothing of the row, which is about a person. */
export class DamagedRow extends Error {
  override readonly name = "DamagedRow";
}

/** @throws DamagedRow */
export function unpackJson(stored: Uint8Array): unknown {
  return parseStored(unpackText(stored));
}

/** @throws DamagedRow */
export function unpackText(stored: Uint8Array): string {
  try {
    return Bun.zstdDecompressSync(stored).toString("utf8");
  } catch {
    throw new DamagedRow("a row does not unpack");
  }
}

/** @throws DamagedRow */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedRow("a row does not parse");
  }
}

/** Numbers first, then flat lists: half the bytes of the object's JSON, and half the time to read. */
type StandingTuple = [
  login: string,
  searchable: 0 | 1,
  profile: number,
  activity: number,
  techStack: number,
  experienceTenths: number,
  hireable: 0 | 1,
  places: string[],
  roles: (string | number)[],
  concepts: (string | number)[],
  words: string[],
  /** Name and forge by turns; absent in rows of versions that could not be searched by repository. */
  repositories?: string[],
];

function packStanding(standing: RankingFeatures): string {
  const tuple: StandingTuple = [
    standing.login,
    standing.searchable ? 1 : 0,
    standing.profile,
    standing.activity,
    standing.techStack,
    standing.experienceTenths,
    standing.hireable ? 1 : 0,
    [...standing.places],
    standing.roles.flatMap(({ role, match, techStack }) => [role, match, techStack]),
    standing.concepts.flatMap(({ concept, strength }) => [concept, strength]),
    [...standing.words],
    standing.repositories.flatMap(({ name, forge = "" }) => [name, forge]),
  ];
  return JSON.stringify(tuple);
}

/** @param readRepositories for rows without them. */
export function unpackRankingFeatures(
  text: string,
  readRepositories: () => readonly NamedRepository[],
): RankingFeatures {
  const tuple = parseStored(text) as StandingTuple;
  const [login, searchable, profile, activity, techStack, experienceTenths, hireable] = tuple;
  const [places, flatRoles, flatConcepts, words] = [tuple[7], tuple[8], tuple[9], tuple[10]];
  const roles = [];
  for (let at = 0; at < flatRoles.length; at += 3) {
    const [role, match, tech] = flatRoles.slice(at, at + 3) as [string, number, number];
    roles.push({ role, match, techStack: tech });
  }
  const concepts = [];
  for (let at = 0; at < flatConcepts.length; at += 2) {
    concepts.push({
      concept: flatConcepts[at] as string,
      strength: flatConcepts[at + 1] as number,
    });
  }
  return {
    login,
    searchable: searchable === 1,
    profile,
    activity,
    techStack,
    experienceTenths,
    hireable: hireable === 1,
    places,
    roles,
    concepts,
    words,
    repositories: tuple[11] ? unpackRepositories(tuple[11]) : readRepositories(),
  };
}

function unpackRepositories(flat: readonly string[]): readonly NamedRepository[] {
  const repositories: NamedRepository[] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const [name = "", forge = ""] = [flat[at], flat[at + 1]];
    repositories.push(forge === "" ? { name } : { name, forge });
  }
  return repositories;
}

/** Level 1 of zstd gives a third of the size in about 20 us; higher levels cost more and save nothing here. */
function compressed(text: string): Buffer {
  return Bun.zstdCompressSync(text, { level: 1 });
}

function hashOf(...texts: readonly string[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const text of texts) hasher.update(text).update("\n");
  return hasher.digest("base64url");
}

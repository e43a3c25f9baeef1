import { sql } from "drizzle-orm";
import { wordStrength } from "../../../contract/people/profile-analysis.ts";
import type { Pool } from "../../../pool/pool.ts";
import { copyRows, type RowWriter } from "../../../postgres/copy-rows.ts";
import type { PostgresSession, Statements } from "../../../postgres/database.ts";
import { buildGeneration } from "../../generation/build.ts";
import { clearTexts } from "../../generation/clear-texts.ts";
import type { Generation } from "../../generation/generation.ts";
import { type Postings, walkOrdinals } from "../../generation/postings.ts";
import { askedWeighing, plainWeighing, type ScoreFormula } from "../../weighing.ts";
import { hashKey, type IndexShape } from "../generation-rows.ts";
import { packPeople } from "../people-records.ts";
import { blocks, rankings } from "../tables.ts";

/** The pool and settings that a generation is built from. */
export interface BuildSource {
  readonly pool: Pick<Pool, "revision" | "rankingFeatures">;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly edition: string;
  readonly shape: IndexShape;
  readonly isStopped: () => boolean;
}

/**
 * Writes the block that begins with the ordinal `first`: builds an in-memory index of its developers and stores the lists.
 * @package
 * @returns false if the developers have changed since they were sorted.
 */
export async function writeBlock(
  session: PostgresSession,
  { pool, ancestors, edition, shape }: BuildSource,
  generation: number,
  first: number,
): Promise<boolean> {
  const { rowIds, loginRanks } = await readRanking(session.orm, first, shape.blockSize);
  const rankingFeatures = pool.rankingFeatures(rowIds);
  const part = await buildGeneration({
    rankingFeatures,
    ancestors,
    made: { revision: 0, edition },
  });
  if (part.developers !== rowIds.length) return false;
  const { columns } = part;
  const rankOf = new Map(Array.from(rowIds, (rowId, at) => [rowId, loginRanks[at] as number]));
  const ranks = Uint32Array.from(columns.rowIds, (rowId) => rankOf.get(rowId) as number);
  const block = first / shape.blockSize;
  await session.orm.insert(blocks).values({
    ...{ generation, block },
    people: packPeople(columns, ranks),
    techStack: Buffer.from(columns.techStack),
    activity: toBytes(columns.activity),
    experience: toBytes(columns.experience),
    followers: toBytes(columns.followers),
    ceiling: columns.techStack.reduce(
      (most, tech, at) => Math.max(most, scoreOf(columns.bases[at] as number, tech, plainWeighing)),
      0,
    ),
  });
  const blockPart = { part, generation, block, first, ...shape };
  await copyRows(session.sql, listCopy, (rows) => writeLists(rows, blockPart));
  await copyRows(session.sql, sparseCopy, (rows) => writeSparseLists(rows, blockPart));
  // Without this, the texts of one block would take as much memory as the rest of the process.
  clearTexts(part.developers);
  return true;
}

function toBytes({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array | Uint16Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const listCopy =
  "COPY search.block_list (generation, term, block, bits, packed_bits, strengths, ceiling) FROM STDIN (FORMAT binary)";
const sparseCopy =
  "COPY search.sparse_list (key, term, block, people, ordinals, strengths, ceiling) FROM STDIN (FORMAT binary)";

/** Reads the row ids of a block's developers in ascending order, and the ranks of their logins. */
async function readRanking(
  orm: Statements,
  first: number,
  size: number,
): Promise<{ readonly rowIds: Uint32Array; readonly loginRanks: readonly number[] }> {
  const { ordinal, rowId, loginRank } = rankings;
  const [row] = await orm
    .select({
      rowIds: sql<number[]>`array_agg(${rowId} ORDER BY ${rowId})`,
      loginRanks: sql<number[]>`array_agg(${loginRank} ORDER BY ${rowId})`,
    })
    .from(rankings)
    .where(sql`${ordinal} >= ${first} AND ${ordinal} < ${first + size}`);
  return { rowIds: Uint32Array.from(row?.rowIds ?? []), loginRanks: row?.loginRanks ?? [] };
}

interface BlockPart extends IndexShape {
  readonly part: Generation;
  readonly generation: number;
  readonly block: number;
  readonly first: number;
}

function* listAll(part: Generation): Iterable<readonly [key: string, list: Postings]> {
  for (let at = 0; at < part.columns.counts.length; at++)
    yield [part.keyAt(at), part.postingsAt(at)];
}

async function writeLists(rows: RowWriter, target: BlockPart): Promise<void> {
  const { part, generation, block, blockSize, sparseMax, plainMin } = target;
  for (const [key, list] of listAll(part)) {
    if (list.count <= sparseMax) continue;
    const { strengths, ceiling } = packStrengths(list, part);
    const bits = packBits(list, blockSize);
    const isPlain = list.count >= plainMin;
    await rows.begin(7);
    rows.integer(generation);
    rows.bigint(BigInt(hashKey(key, generation)));
    rows.integer(block);
    rows.bits(isPlain ? bits : undefined);
    rows.bits(isPlain ? undefined : bits);
    rows.bytes(strengths);
    rows.integer(ceiling);
  }
}

/** Writes a row with the number of developers for every list. For a short list, the row also has the developers' ordinals. */
async function writeSparseLists(rows: RowWriter, target: BlockPart): Promise<void> {
  const { part, generation, block, first, sparseMax } = target;
  for (const [key, list] of listAll(part)) {
    const isSparse = list.count <= sparseMax;
    const { strengths, ceiling } = isSparse ? packStrengths(list, part) : countedOnly;
    await rows.begin(7);
    rows.text(key);
    rows.bigint(BigInt(hashKey(key, generation)));
    rows.integer(block);
    rows.integer(list.count);
    rows.bytes(isSparse ? packOrdinals(list, first) : undefined);
    rows.bytes(strengths);
    rows.integer(ceiling);
  }
}

const countedOnly = { strengths: undefined, ceiling: 0 };

function scoreOf(base: number, techStack: number, by: ScoreFormula): number {
  return by.toTenths(base) + by.tenthsPerTechPoint * techStack;
}

/** Packs the strengths in order of ordinal, and finds the highest score that any developer reaches in a search for this list. */
function packStrengths(
  list: Postings,
  { columns: { bases } }: Generation,
): { readonly strengths: Uint8Array | undefined; readonly ceiling: number } {
  const strengths = list.strengths && new Uint8Array(list.count);
  let [length, ceiling] = [0, 0];
  walkOrdinals(list, (ordinal, strength = wordStrength) => {
    if (strengths) strengths[length++] = strength;
    ceiling = Math.max(ceiling, scoreOf(bases[ordinal] as number, strength, askedWeighing));
  });
  return { strengths, ceiling };
}

function packBits(list: Postings, blockSize: number): Uint8Array {
  const words = new Uint32Array(blockSize / 32);
  if (list.bits) words.set(list.bits);
  else {
    walkOrdinals(list, (ordinal) => {
      words[ordinal >>> 5] = (words[ordinal >>> 5] as number) | (1 << (ordinal & 31));
    });
  }
  return new Uint8Array(words.buffer);
}

function packOrdinals(list: Postings, first: number): Uint8Array {
  const ordinals = new Uint32Array(list.count);
  let length = 0;
  walkOrdinals(list, (ordinal) => {
    ordinals[length++] = first + ordinal;
  });
  return new Uint8Array(ordinals.buffer);
}

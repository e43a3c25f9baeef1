/**
 * Packs the figures of each developer of a block into fixed-size records, so that a page reads only the records of its
 * developers.
 */
import type { RankedScores } from "../../contract/people/developer.ts";
import type { GenerationSections } from "../generation/layout.ts";

/** @package The size of one record in bytes. */
export const recordBytes = 13;

/** @package */
export interface PersonRecord extends Omit<RankedScores, "score"> {
  readonly rowId: number;
  /** Position of the login among all lower-cased logins of the generation. */
  readonly loginRank: number;
  readonly experience: number;
}

/** @package @param loginRanks the ranks among all logins of the generation. */
export function packPeople(columns: GenerationSections, loginRanks: Uint32Array): Buffer {
  const packed = Buffer.allocUnsafe(columns.rowIds.length * recordBytes);
  for (let at = 0; at < columns.rowIds.length; at++) {
    const start = at * recordBytes;
    packed.writeUInt32LE(columns.rowIds[at] as number, start);
    packed.writeUInt32LE(loginRanks[at] as number, start + 4);
    packed.writeUInt16LE(columns.experience[at] as number, start + 8);
    packed[start + 10] = columns.profile[at] as number;
    packed[start + 11] = columns.activity[at] as number;
    packed[start + 12] = columns.techStack[at] as number;
  }
  return packed;
}

/** @package Reads the record that begins at this byte. */
export function unpackPerson(packed: Buffer, start: number): PersonRecord {
  return {
    rowId: packed.readUInt32LE(start),
    loginRank: packed.readUInt32LE(start + 4),
    experience: packed.readUInt16LE(start + 8),
    profile: packed[start + 10] as number,
    activity: packed[start + 11] as number,
    techStack: packed[start + 12] as number,
  };
}

/**
 * Everybody's names, logins, accounts and addresses as two runs of bytes: a search for a short run of bytes in some
 * megabytes takes a few milliseconds, and needs about 90 bytes a person and no other structure.
 */
import { type FindableDeveloper, formatNames, listKeys } from "../../pool/pool.ts";

export interface PeopleIndex {
  readonly revision: number;
  readonly size: number;
  readonly rowIds: Uint32Array;
  /** Tenths of the score. */
  readonly scores: Uint16Array;
  /** By ordinal: what `formatNames` says. */
  readonly names: Run;
  /** By ordinal: what `listKeys` says, side by side. */
  readonly keys: Run;
}

/** @package Bytes, and where those of each ordinal begin; one entry more than ordinals. */
export interface Run {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
}

/** @param people in the order in which equal matches are shown. */
export async function buildPeopleIndex(
  people: AsyncIterable<readonly FindableDeveloper[]>,
  revision: number,
): Promise<PeopleIndex> {
  const names = createRun();
  const keys = createRun();
  const rowIds: number[] = [];
  const scores: number[] = [];
  for await (const batch of people) {
    for (const person of batch) {
      rowIds.push(person.rowId);
      scores.push(Math.round(person.score * 10));
      names.add(formatNames(person));
      keys.add(listKeys(person).join(""));
    }
    // Other calls are answered between two batches.
    await Bun.sleep(0);
  }
  return {
    revision,
    size: rowIds.length,
    rowIds: Uint32Array.from(rowIds),
    scores: Uint16Array.from(scores),
    names: names.end(),
    keys: keys.end(),
  };
}

function createRun() {
  const parts: Buffer[] = [];
  const starts = [0];
  let length = 0;
  return {
    add(text: string): void {
      const bytes = Buffer.from(text);
      parts.push(bytes);
      length += bytes.length;
      starts.push(length);
    },
    end: (): Run => ({ bytes: Buffer.concat(parts, length), starts: Uint32Array.from(starts) }),
  };
}

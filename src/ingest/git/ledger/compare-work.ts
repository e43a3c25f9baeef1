/** What a change of a row of work may change of its author. */
import { describeOwn, unpackTemplates } from "../commits/pack-tally.ts";

/** @package */
export interface WorkRow {
  readonly commits: number;
  readonly counted: number;
  readonly routine: number;
  readonly isWork: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly content: Buffer;
}

/** @package */
export type StoredWork = Omit<WorkRow, "counted" | "content"> & {
  readonly spelling: number;
  readonly content: Uint8Array;
};

/** @package Whether what tells who is who has not changed. */
export function isOneToIdentity(a: StoredWork, b: WorkRow): boolean {
  return (
    a.commits === b.commits &&
    a.routine === b.routine &&
    a.isWork === b.isWork &&
    a.first === b.first &&
    a.last === b.last &&
    unpackTemplates(a.content).join() === unpackTemplates(b.content).join()
  );
}

/** @package Whose facts may be others after a change of a row. */
export function chooseDue(
  spelling: number,
  before: Uint8Array,
  after: Uint8Array,
): "anybody" | "human" {
  return describeOwn(before, spelling) === describeOwn(after, spelling) ? "human" : "anybody";
}

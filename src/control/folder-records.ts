export type DataFile = "pool" | "ledger" | "forges";

/** The name of a file and how often it has changed: an older copy has changed less often. */
export interface DataFileState {
  readonly name: string;
  readonly changes: number;
}

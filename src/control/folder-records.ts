export type DataFile = "pool" | "ledger" | "forges";

/** The name of a file, and the number of its changes. An older copy has fewer changes. */
export interface DataFileState {
  readonly name: string;
  readonly changes: number;
}

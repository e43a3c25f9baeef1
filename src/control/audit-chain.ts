/** What every adapter's audit log has in common: rows, and the hashes that make them a chain. */
export interface AuditRow {
  readonly sequence: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  /** JSON. */
  readonly detail: string;
}

/** @package The hash of a row covers the row and the hash before it: the same in every database. */
export function hashAuditRow(previous: string, row: AuditRow): string {
  const { sequence, atMs, actor, action, subject, detail } = row;
  const covered = JSON.stringify([previous, sequence, atMs, actor, action, subject, detail]);
  return new Bun.CryptoHasher("sha256").update(covered).digest("hex");
}

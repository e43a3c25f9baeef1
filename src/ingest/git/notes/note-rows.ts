/** Reads and writes the notes of a location, one row for each note. */
import type { Connection } from "../../../sqlite/connection.ts";
import type { StoredCommit } from "../commit/stored-commit.ts";
import type { PathMetadata } from "../read/history.ts";
import type { NoteVerdict, StoredNote, StoredNotes } from "./judge-note.ts";

/** Returns the agents that wrote lines of a commit according to believed notes; empty if a note says that no agent did. */
export type NoteStatements = (sha: bigint) => readonly string[] | undefined;

export type NoteCounts = NonNullable<ReturnType<typeof countNotes>>;

export function readStoredNotes(sqlite: Connection, placeId: number): StoredNotes {
  return new Map(iterateRows(sqlite, placeId).map(({ sha, ...note }) => [sha, note]));
}

/** @param tip the last commit of the notes; empty if there are no notes. */
export function writeNotes(
  sqlite: Connection,
  placeId: number,
  { changed, gone }: { readonly changed: StoredNotes; readonly gone: Iterable<bigint> },
  tip: string,
): void {
  const insert = sqlite.query(
    "INSERT OR REPLACE INTO note (place_id, fingerprint, content, verdict, lines) VALUES (?, ?, ?, ?, ?)",
  );
  const remove = sqlite.query("DELETE FROM note WHERE place_id = ? AND fingerprint = ?");
  sqlite.transact(() => {
    for (const [sha, { content, verdict, lines }] of changed) {
      insert.run(placeId, BigInt.asIntN(64, sha), content, verdict, JSON.stringify(lines));
    }
    for (const sha of gone) remove.run(placeId, BigInt.asIntN(64, sha));
    sqlite.execute`UPDATE place SET notes = ${tip} WHERE id = ${placeId}`;
  });
}

/** Joins the notes of all clones of one repository. */
export function readStatements(sqlite: Connection, placeIds: readonly number[]): NoteStatements {
  const found = new Map<bigint, readonly string[]>();
  for (const placeId of placeIds) {
    for (const { sha, lines } of iterateRows(sqlite, placeId, "believed")) {
      const agents = Object.keys(lines);
      const others = found.get(sha);
      found.set(sha, others ? [...new Set([...others, ...agents])].sort() : agents.sort());
    }
  }
  return (sha) => found.get(sha);
}

function* iterateRows(sqlite: Connection, placeId: number, verdict?: NoteVerdict) {
  // Reads fingerprints as text, since JavaScript's numbers have 53 bits.
  const rows = sqlite.query<
    Record<"fingerprint" | "content" | "lines", string> & Pick<StoredNote, "verdict">,
    [number, NoteVerdict | null]
  >(
    `SELECT CAST(fingerprint AS TEXT) AS fingerprint, content, verdict, lines FROM note
     WHERE place_id = ?1 AND (?2 IS NULL OR verdict = ?2)`,
  );
  for (const { fingerprint, lines, ...row } of rows.iterate(placeId, verdict ?? null)) {
    const said: StoredNote["lines"] = JSON.parse(lines);
    yield { ...row, sha: BigInt.asUintN(64, BigInt(fingerprint)), lines: said };
  }
}

export function countNotes(sqlite: Connection, placeIds: readonly number[]) {
  const rows = sqlite.readRows<{ verdict: NoteVerdict; lines: string; n: number }>`
    SELECT verdict, lines, count(*) AS n FROM (
    SELECT DISTINCT fingerprint, verdict, lines FROM note
    WHERE place_id IN (SELECT value FROM json_each(${JSON.stringify(placeIds)})))
    GROUP BY verdict, lines ORDER BY verdict, lines`;
  if (rows.length === 0) return undefined;
  const counts = { absent: 0, merge: 0, contradicted: 0, malformed: 0, large: 0, missing: 0 };
  const sums = new Map<string, number>();
  let [assisted, unassisted] = [0, 0];
  for (const { verdict, lines, n } of rows) {
    if (verdict !== "believed") {
      counts[verdict] += n;
      continue;
    }
    const said = Object.entries<number>(JSON.parse(lines));
    if (said.length === 0) unassisted += n;
    else assisted += n;
    for (const [agent, some] of said) sums.set(agent, (sums.get(agent) ?? 0) + some * n);
  }
  const lines = Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    /** Numbers of believed notes that attribute lines to agents, and of believed notes that attribute none. */
    ...{ assisted, unassisted },
    /** Number of lines that believed notes attribute to each agent. */
    lines: lines as Readonly<Record<string, number>>,
    ...counts,
  };
}

/** Combines the agents that a commit names with the agents in its note. */
export function findAssistance(
  { sha, agents }: Pick<StoredCommit, "sha" | "agents">,
  metadata: Pick<PathMetadata, "agents">,
  stated: NoteStatements,
): { readonly agents: readonly string[]; readonly isUnassisted: boolean } {
  const marked = agents.flatMap((number) => metadata.agents?.[number] ?? []);
  const noted = stated(sha);
  if (!noted || noted.length === 0) {
    return { agents: marked, isUnassisted: noted !== undefined && marked.length === 0 };
  }
  return { agents: [...new Set([...marked, ...noted])].sort(), isUnassisted: false };
}

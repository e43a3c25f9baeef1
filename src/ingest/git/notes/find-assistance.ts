import type { StoredCommit } from "../commit/stored-commit.ts";
import type { PathMetadata } from "../read/history.ts";
import type { NoteStatements } from "./note-rows.ts";

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

/** Erases people from the lists and saved searches of accounts. */
import type { ControlStore } from "../control/control-store.ts";
import type { PoolErasure } from "../pool/pool.ts";

/** Erases everyone on the suppression list. A crash is harmless, because this can be repeated. */
export async function eraseFromSaved(
  saved: ControlStore["saved"],
  erasing: PoolErasure,
): Promise<void> {
  const stored = await saved.storedLogins();
  if (stored.length === 0) return;
  const { isSuppressed } = await erasing.suppression();
  const theirs = stored.filter((login) => isSuppressed({ ...noFacts, login }));
  if (theirs.length > 0) await saved.erase(theirs);
}

const noFacts = { source: "git", profile: {}, emails: [], repositories: [], evidence: [] };

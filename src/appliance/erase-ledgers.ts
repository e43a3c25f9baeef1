/** Erases people from the lists and saved searches of accounts, and from the list of ended runs. */
import type { ControlStore } from "../control/control-store.ts";
import type { PoolErasure } from "../pool/pool.ts";

/** Erases everyone on the suppression list. A crash is harmless, because this can be repeated. */
export async function eraseFromSaved(
  { saved, runs }: Pick<ControlStore, "saved" | "runs">,
  erasing: PoolErasure,
): Promise<void> {
  const [stored, ended] = await Promise.all([saved.storedLogins(), runs.list()]);
  if (stored.length + ended.length === 0) return;
  const { isSuppressed } = await erasing.suppression();
  const isErased = (login: string) => {
    const emails = [{ address: login, sources: ["run"], published: false }];
    return isSuppressed({ ...noFacts, login, emails: login.includes("@") ? emails : [] });
  };
  const theirs = stored.filter(isErased);
  if (theirs.length > 0) await saved.erase(theirs);
  const naming = ended.filter(({ title, outcome }) =>
    listNames(`${title} ${outcome}`).some(isErased),
  );
  if (naming.length > 0) await runs.remove(naming.map(({ id }) => id));
}

/** Lists what may be a login or an address in the words about a run. */
const listNames = (words: string) =>
  words.split(/[^\w.@+-]+/).map((word) => word.replace(/^[.-]|[.-]$/g, ""));

const noFacts = { source: "git", profile: {}, repositories: [], evidence: [] };

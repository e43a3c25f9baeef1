import { erasedLoginDays, listStoredIdentifiers } from "../pool/pool.ts";
import type { DataFolder } from "./data-folder.ts";

/** Creates a copy of all data about a person, for this person to read. Undefined means that the login is unknown. */
export async function createPersonCopy(
  { modules, erasure, control }: Pick<DataFolder, "modules" | "erasure" | "control">,
  login: string,
  at: Date,
) {
  const { pool } = modules;
  const developer = await pool.findStoredDeveloper(login);
  if (!developer) return undefined;
  const { facts, analysis, card, standing, ...origin } = developer;
  const known = await erasure.knownAs(facts.login);
  const names = known?.spellings.map(({ name }) => name);
  return {
    form: "urn:roster:person:1",
    login: facts.login,
    /** Former logins that also lead to this person. */
    formerLogins: facts.formerLogins ?? [],
    exportedAt: at.toISOString(),
    origin: { source: facts.source, ...origin },
    facts,
    /** The scores. Each has an `explanation` with terms, weights, caps and evidence. */
    analysis,
    shown: card,
    ranked: standing,
    /** The person's author identities in the stored git histories, with the reasons why they belong to one person. */
    spellings: known?.spellings ?? [],
    joins: known?.joins ?? [],
    /** The operator's decisions about the person's author identities. */
    decisions: await pool.decisions.about(facts, names, known?.addresses),
    /** The notes about the person on lists. The accounts that wrote the notes are left out. */
    lists: await control.saved.notesAbout([facts.login, ...(facts.formerLogins ?? [])]),
    ifForgotten: {
      ...{ keptAs: "salted hashes", of: listStoredIdentifiers(facts) },
      loginsListedForDays: erasedLoginDays,
    },
  };
}

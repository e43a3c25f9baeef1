/** Lists the operator's decisions about author identities, with the people who have these identities now. */
import { parseSelector } from "../../identity/selector.ts";
import type { KnownIdentity } from "../../ingest/ingest.ts";
import type { DecidedPerson, DecisionBook, DecisionLine } from "../../interfaces/web/web.ts";
import type { Modules } from "../../operations/operation.ts";
import type { IdentityDecisionRecord, Pool } from "../../pool/pool.ts";

interface BookParts {
  readonly pool: Pick<Pool, "decisions" | "findFacts" | "cards">;
  readonly search: Pick<Modules["search"], "findPeople">;
}

export function createDecisionBook({ pool, search }: BookParts): DecisionBook {
  const list = async (searched = "") =>
    (await pool.decisions.list()).filter((one) => matches(one, searched)).toReversed();
  const findPerson = async (named: string): Promise<DecidedPerson> => {
    for (const text of listKeys(named)) {
      const query = { text, canSeeUnpublished: true, limit: 2, offset: 0 };
      const { hits } = await search.findPeople(query);
      const [hit, other] = hits.filter(({ matched }) => matched !== "near");
      // An address or name of several people identifies nobody.
      if (!hit || other) continue;
      // The person may have been erased meanwhile.
      const card = (await pool.cards([hit.rowId])).get(hit.rowId);
      if (card) return { named, login: card.login, name: card.name };
    }
    return { named, login: undefined, name: undefined };
  };
  const toLine = async (decision: IdentityDecisionRecord): Promise<DecisionLine> => {
    const { a, b, ...rest } = decision;
    const [one, other] = await Promise.all([findPerson(a), findPerson(b)]);
    return { ...rest, people: [one, other] };
  };
  const toLines = (decisions: readonly IdentityDecisionRecord[]) =>
    Promise.all(decisions.map(toLine));
  const listAbout = async (login: string, known?: KnownIdentity) => {
    const [facts] = await pool.findFacts([login]);
    if (!facts) return [];
    const names = known?.spellings.map(({ name }) => name);
    return pool.decisions.about(facts, names, known?.addresses);
  };
  return {
    read: async (from, count, searched) =>
      toLines((await list(searched)).slice(from, from + count)),
    count: async (searched) => (await list(searched)).length,
    find: async (ids) =>
      toLines((await pool.decisions.listAll()).filter(({ id }) => ids.includes(id))),
    idsAbout: async (searched) => {
      const named = (await pool.decisions.listAll()).filter((one) => matches(one, searched));
      return [...named, ...(await listAbout(searched))].map(({ id }) => id);
    },
    about: async (login, known) =>
      toLines((await listAbout(login, known)).filter(({ undoneAt }) => !undoneAt).toReversed()),
  };
}

/** Whether every searched word occurs in a decision. */
function matches({ a, b, reason = "" }: IdentityDecisionRecord, searched: string): boolean {
  const text = [a, b, reason].join(" ").toLowerCase();
  return searched
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns the texts to search for a selector's person, the most certain text first. */
function listKeys(named: string): readonly string[] {
  const { account, address, name } = parseSelector(named) ?? {};
  const key = account ? [account.forge, account.login].filter(Boolean).join("/") : address;
  return [key, name].flatMap((text) => text || []);
}

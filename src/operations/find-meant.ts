/** Finds the people that a question leaves out: the authors of a change, under any of their logins, accounts and addresses. */
import { Problem } from "../contract/problem.ts";
import { parseNoreplyAddress } from "../identity/address.ts";
import { splitNameWords } from "../identity/name-words.ts";
import { parseSelector } from "../identity/selector.ts";
import type { Modules } from "./operation.ts";

/** Enough for all who bear one name. */
const namesakesMax = 20;

interface Finding extends Pick<Modules, "pool" | "search"> {
  /** Whether addresses that people do not publish count: who is missing in the answer shows their owner. */
  readonly canSeeUnpublished: boolean;
}

export interface MeantPeople {
  readonly text: string;
  /** Lower-cased; none if nobody is found, several if several could be meant. */
  readonly logins: readonly string[];
  /** Whether only a name led to them. */
  readonly isByName: boolean;
}

/**
 * People who are not in the pool are not found: a change may be somebody's first. A name counts only where the address beside it
 * is unknown; then all who have it are meant, since it is worse to name the author than to miss a namesake.
 *
 * @param field of the request, for complaints.
 * @param text a login, account, address, or `Name <address>`.
 */
export async function findMeant(
  field: string,
  text: string,
  finding: Finding,
): Promise<MeantPeople> {
  const selector = parseSelector(text);
  if (!selector) {
    const message = `${field}: "${text}" is no login, account, e-mail or Name <e-mail>`;
    throw new Problem("invalid_request", { message });
  }
  const { name, address, account } = selector;
  // A noreply address tells its account by itself.
  const named = account ?? parseNoreplyAddress(address ?? "");
  const keys = [...(address ? [address] : []), ...(named ? [formatAccount(named)] : [])];
  for (const key of keys.length === 0 && name ? [name] : keys) {
    const logins = await findByKey(key, finding);
    if (logins.length > 0) return { text, logins, isByName: false };
  }
  return { text, logins: name ? await findByName(name, finding) : [], isByName: true };
}

const formatAccount = ({ forge, login }: { forge: string | undefined; login: string }) =>
  forge ? `${forge}/${login}` : login;

async function findByKey(text: string, { pool, search, canSeeUnpublished }: Finding) {
  const asked = { text, canSeeUnpublished, limit: namesakesMax, offset: 0 };
  const { hits } = await search.findPeople(asked);
  const exact = hits.filter(({ matched }) => matched !== "name" && matched !== "near");
  const cards = await pool.cards(exact.map(({ rowId }) => rowId));
  return exact.flatMap(({ rowId, matched }) => {
    const login = cards.get(rowId)?.login.toLowerCase();
    // Logins are found by their beginnings, too.
    return login && (matched !== "login" || login === text.toLowerCase()) ? [login] : [];
  });
}

async function findByName(name: string, { pool, search }: Finding) {
  const asked = { text: name, canSeeUnpublished: false, limit: namesakesMax, offset: 0 };
  const { hits } = await search.findPeople(asked);
  const cards = await pool.cards(hits.map(({ rowId }) => rowId));
  const logins = [...cards.values()].map(({ login }) => login);
  const analyses = await pool.findAnalyses(logins);
  const wanted = fold(name);
  return analyses.flatMap((analysis) => {
    const { login, name: own = "", otherNames = [] } = analysis?.profile ?? {};
    return login && [own, ...otherNames].some((one) => fold(one) === wanted)
      ? [login.toLowerCase()]
      : [];
  });
}

const fold = (name: string) => [...splitNameWords(name)].sort().join(" ");

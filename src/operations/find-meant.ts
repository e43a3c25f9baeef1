/** Finds people by a login, an account, an address or `Name <address>`, such as the authors of a change. */
import { createInvalidRequest } from "../contract/problem.ts";
import { parseNoreplyAddress } from "../identity/address.ts";
import { splitNameWords } from "../identity/name-words.ts";
import { parseSelector } from "../identity/selector.ts";
import type { Modules } from "./operation.ts";

const namesakesMax = 20;

interface Finding extends Pick<Modules, "pool" | "search"> {
  /** Whether unpublished addresses are searched too. */
  readonly canSeeUnpublished: boolean;
}

export interface MeantPeople {
  readonly text: string;
  /** Logins in lower case of all people whom the text may mean. */
  readonly logins: readonly string[];
  readonly isByName: boolean;
}

/**
 * Finds people by address or account. If nobody has these, finds everybody with the given name.
 * @param field name of the request's field, for error messages.
 */
export async function findMeant(
  field: string,
  text: string,
  finding: Finding,
): Promise<MeantPeople> {
  const selector = parseSelector(text);
  if (!selector) {
    const message = `${field}: "${text}" is not a login, account, e-mail or Name <e-mail>`;
    throw createInvalidRequest(message);
  }
  const { name, address, account } = selector;
  // A noreply address contains its account.
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
  const query = { text, canSeeUnpublished, limit: namesakesMax, offset: 0 };
  const { hits } = await search.findPeople(query);
  const exact = hits.filter(({ matched }) => matched !== "name" && matched !== "near");
  const cards = await pool.cards(exact.map(({ rowId }) => rowId));
  return exact.flatMap(({ rowId, matched }) => {
    const login = cards.get(rowId)?.login.toLowerCase();
    // The search also finds logins that only begin with the text.
    return login && (matched !== "login" || login === text.toLowerCase()) ? [login] : [];
  });
}

async function findByName(name: string, { pool, search }: Finding) {
  const query = { text: name, canSeeUnpublished: false, limit: namesakesMax, offset: 0 };
  const { hits } = await search.findPeople(query);
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

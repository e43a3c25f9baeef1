/** Finds the people whom a question leaves out: the authors of a change, under any of their logins, accounts and addresses. */
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

/**
 * Whoever is not in the pool excludes nobody: a change may be somebody's first. A name counts only where the address beside it
 * is unknown; then all who have it are left out, since it is worse to name the author than to miss a namesake.
 *
 * @param texts logins, accounts, addresses, and `Name <address>`.
 * @returns lower-cased logins.
 */
export async function findExcluded(
  texts: readonly string[],
  finding: Finding,
): Promise<readonly string[]> {
  const found = await Promise.all(texts.map((text) => findOne(text, finding)));
  return [...new Set(found.flat())].sort();
}

async function findOne(text: string, finding: Finding): Promise<readonly string[]> {
  const selector = parseSelector(text);
  if (!selector) {
    const message = `exclude: "${text}" is no login, account, e-mail or Name <e-mail>`;
    throw new Problem("invalid_request", { message });
  }
  const { name, address, account } = selector;
  // A noreply address tells its account by itself.
  const named = account ?? parseNoreplyAddress(address ?? "");
  const keys = [...(address ? [address] : []), ...(named ? [formatAccount(named)] : [])];
  for (const key of keys.length === 0 && name ? [name] : keys) {
    const byKey = await findByKey(key, finding);
    if (byKey.length > 0) return byKey;
  }
  return name ? findByName(name, finding) : [];
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

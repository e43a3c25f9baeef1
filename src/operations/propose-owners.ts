/** Proposes owners for a CODEOWNERS file, for `owners propose`. */
import type { Facts } from "../contract/people/facts.ts";
import {
  formatOwnerWord,
  type KnowingOwner,
  listRowWords,
  type OwnersProposal,
  type PresentOwners,
  type ProposedFolder,
  type ProposedOwner,
} from "../contract/people/owners-proposal.ts";
import type { KnownRule } from "../contract/people/ownership-rule.ts";
import type { WhoRequest } from "../contract/people/who-knows.ts";
import { createInvalidRequest } from "../contract/problem.ts";
import { parseNoreplyAddress } from "../identity/address.ts";
import { formatUtcDay, isHistoryStale, isRefusal } from "../knowledge/knowledge.ts";
import {
  type KnowledgeAccess,
  readDay,
  requireLogins,
  toKnowledgeProblem,
} from "./requested-knowledge.ts";

export interface OwnersAdvice {
  /** The repository's name in the ledger, and the host of its forge. */
  readonly repository: { readonly name: string; readonly forge: string | undefined };
  /** ISO day. */
  readonly asOf: string;
  readonly isStale: boolean;
  /** Whether history ends more than a year ago. Such a history cannot show that anybody left. */
  readonly isEnded: boolean;
  /** ISO day. Owners without work since this day count as people who left. */
  readonly since: string;
  /** The rules in ownership files other than CODEOWNERS. */
  readonly otherRules: readonly KnownRule[];
  /** Proposes changes of the given file. */
  propose(present: PresentOwners): Promise<OwnersProposal>;
}

/** @param request must name a repository; `asOf`, `activeSince` and `without` are optional. @throws Problem */
export async function openOwnersAdvice(
  request: WhoRequest,
  modules: KnowledgeAccess,
): Promise<OwnersAdvice> {
  const { knowledge, pool } = modules;
  const { repository: name = "", asOf, activeSince, without } = request;
  const asOfDay = asOf === undefined ? knowledge.today() : readDay(asOf);
  const leaving = without ? await requireLogins(without, modules) : [];
  const measured = await knowledge.measureOwners({
    ...{ repository: name, asOfDay },
    activeSince: activeSince === undefined ? undefined : readDay(activeSince),
    without: leaving.map((login) => login.toLowerCase()),
  });
  if (isRefusal(measured)) throw toKnowledgeProblem(measured);
  const { repository, untilDay, sinceDay, suggest, otherRules } = measured;
  if (sinceDay > untilDay) {
    const end = formatUtcDay(untilDay);
    const message = `activeSince must be ${end} or earlier: the history that was read of ${repository.name} ends then`;
    throw createInvalidRequest(message);
  }
  return {
    repository,
    asOf: formatUtcDay(untilDay),
    isStale: isHistoryStale({ asOfDay, untilDay }),
    isEnded: asOfDay - untilDay > daysPerYear,
    ...{ since: formatUtcDay(sinceDay), otherRules },
    async propose(present) {
      const { folders, changes, unowned, ...rest } = suggest(present);
      const knowers = [...folders, ...unowned].flatMap(({ owners }) => owners);
      const people = [...knowers, ...changes.flatMap(({ joining }) => joining)];
      const logins = [...new Set(people.map(({ login }) => login))];
      const facts = await pool.findFacts(logins);
      const factsOf = new Map(logins.map((login, at) => [login, facts[at]]));
      const stated = present.rules.flatMap(({ owners }) => owners);
      // Leaves out a person who was erased in the meantime.
      const nameAll = (owners: readonly KnowingOwner[]) =>
        owners.flatMap((owner): readonly ProposedOwner[] => {
          const found = factsOf.get(owner.login);
          if (!found) return [];
          const named = stated.find(({ person }) => person === owner.login);
          const word = (named && formatOwnerWord(named)) ?? findAccount(found, repository.forge);
          return [{ ...owner, word, name: found.profile.name ?? found.login }];
        });
      const nameEach = (some: readonly ProposedFolder<KnowingOwner>[]) =>
        some
          .map((folder) => ({ ...folder, owners: nameAll(folder.owners) }))
          .filter(({ owners }) => owners.length > 0);
      return {
        ...{ ...rest, folders: foldFolders(nameEach(folders)), unowned: nameEach(unowned) },
        // A person without a known account or address cannot be added to a row.
        changes: changes
          .map((change) => ({
            ...change,
            joining: nameAll(change.joining).filter(({ word }) => word !== undefined),
          }))
          .filter(({ gone, joining }) => gone.length + joining.length > 0),
      };
    },
  };
}

const daysPerYear = 365;

/** Removes each folder that has the same owners as the nearest folder above it. @param folders sorted by path. */
function foldFolders(
  folders: readonly ProposedFolder<ProposedOwner>[],
): readonly ProposedFolder<ProposedOwner>[] {
  const namedIn = new Map<string, string>();
  return folders.filter(({ folder, owners }) => {
    const words = listRowWords(owners);
    const named = [...(words.length > 0 ? words : owners.map(({ login }) => login))].sort();
    const text = named.join(" ");
    namedIn.set(folder, text);
    for (let above = folder; above !== ""; ) {
      above = above.slice(0, Math.max(0, above.lastIndexOf("/")));
      const other = namedIn.get(above);
      if (other !== undefined) return other !== text;
    }
    return true;
  });
}

/** @returns the person's account on the repository's forge, such as `@ada`. */
function findAccount(
  { login, accounts = [], emails }: Facts,
  forge: string | undefined,
): string | undefined {
  const host = forge?.toLowerCase();
  const known = [
    ...accounts,
    ...emails.flatMap(({ address }) => parseNoreplyAddress(address) ?? []),
  ].find((account) => account.forge.toLowerCase() === host);
  if (!known || !/^[A-Za-z0-9][\w.-]{0,99}$/.test(known.login)) return undefined;
  // Accounts in noreply addresses are in lower case, so the login's own spelling is preferred.
  const isSame = known.login.toLowerCase() === login.toLowerCase();
  return `@${isSame ? login : known.login}`;
}

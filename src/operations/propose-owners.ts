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
import type { KnownOwner, KnownRule } from "../contract/people/ownership-rule.ts";
import type { WhoRequest } from "../contract/people/who-knows.ts";
import { Problem } from "../contract/problem.ts";
import { parseNoreplyAddress } from "../identity/address.ts";
import { formatUtcDay, isHistoryStale, isRefusal } from "../knowledge/knowledge.ts";
import {
  type KnowledgeAccess,
  readDay,
  requireLogins,
  toKnowledgeProblem,
} from "./requested-knowledge.ts";

export interface OwnersAdvice {
  /** Its name in the ledger. */
  readonly repository: { readonly name: string; readonly forge: string | undefined };
  /** ISO day. */
  readonly asOf: string;
  readonly isStale: boolean;
  /** Whether history ends more than a year ago. Then nobody can be said to have left. */
  readonly isEnded: boolean;
  /** ISO day. Owners without work since then have left. */
  readonly since: string;
  /** From ownership files other than CODEOWNERS. */
  readonly otherRules: readonly KnownRule[];
  /** May be called several times, with the file as it is then. */
  propose(present: PresentOwners): Promise<OwnersProposal>;
}

/** @param request with a repository, and perhaps `asOf`, `activeSince` and `without`. @throws Problem */
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
    const message = `activeSince must be ${end} or earlier: what was read of ${repository.name} ends then`;
    throw new Problem("invalid_request", { message });
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
      const people = [...knowers, ...changes.flatMap(joiningOf)];
      const logins = [...new Set(people.map(({ login }) => login))];
      const facts = await pool.findFacts(logins);
      const factsOf = new Map(logins.map((login, at) => [login, facts[at]]));
      const stated = present.rules.flatMap(({ owners }) => owners);
      // People who were erased meanwhile are left out.
      const nameAll = (owners: readonly KnowingOwner[]) =>
        owners.flatMap((owner): readonly ProposedOwner[] => {
          const found = factsOf.get(owner.login);
          if (!found) return [];
          const word = findStatedWord(stated, owner) ?? findAccount(found, repository.forge);
          return [{ ...owner, word, name: found.profile.name ?? found.login }];
        });
      const nameEach = (some: readonly ProposedFolder<KnowingOwner>[]) =>
        some
          .map((folder) => ({ ...folder, owners: nameAll(folder.owners) }))
          .filter(({ owners }) => owners.length > 0);
      return {
        ...{ ...rest, folders: foldFolders(nameEach(folders)), unowned: nameEach(unowned) },
        // A row does not change for somebody whom it cannot name.
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

/** Leaves out a row that names the same people as the row above it. @param folders by path. */
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

const joiningOf = ({ joining }: { readonly joining: readonly KnowingOwner[] }) => joining;

/** @returns the name that the file uses for the person elsewhere. Addresses are used only if the file has them already. */
function findStatedWord(
  stated: readonly KnownOwner[],
  { login }: KnowingOwner,
): string | undefined {
  const owner = stated.find(({ person }) => person === login);
  return owner && formatOwnerWord(owner);
}

/** @returns the account on the repository's forge. */
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
  // Addresses are stored in lower case.
  const isSame = known.login.toLowerCase() === login.toLowerCase();
  return `@${isSame ? login : known.login}`;
}

/** Finds traits, which describe one author without looking at others. */
import { type ForgePeople, listNoreplyHosts } from "../../forges/forge-people.ts";
import { digestTexts } from "../digest-texts.ts";
import { findBotClue } from "./author-class.ts";
import { createIdentityFinder, listApart } from "./author-identities.ts";
import type { AuthorRow, AuthorTraits } from "./author-rows.ts";
import { listLinks } from "./links.ts";
import { assignAccount } from "./personas.ts";
import { type IdentityRules, rulesEdition } from "./rules.ts";

/** @returns a function that returns an author's stored traits if they are up to date, and otherwise finds them. */
export function createTraitsFinder({
  rules,
  forges,
}: {
  readonly rules: IdentityRules;
  readonly forges: ForgePeople;
}): (author: AuthorRow) => AuthorTraits {
  const hosts = [...listNoreplyHosts(rules.forges?.content())];
  const edition = digestTexts([JSON.stringify([rulesEdition, hosts])]);
  const apart = listApart(rules);
  const findIdentity = createIdentityFinder(rules);
  return (author) => {
    const { address, rawAddress, traits } = author;
    const isApart = apart.has(`${address}\0${rawAddress}`);
    if (traits?.rules === edition && !isApart) {
      const { account } = traits;
      const found = { account, email: address, rawEmail: rawAddress, told: undefined };
      assignAccount(found, forges);
      if (Bun.deepEquals(found.told, traits.told)) return traits;
    }
    const identity = findIdentity(author, author.repositories[0] ?? "");
    assignAccount(identity, forges);
    const { name, email, rawEmail, account, told } = identity;
    return {
      ...{ rules: isApart ? "" : edition, account, told, links: listLinks(identity) },
      isSuspect: findBotClue({ name, emails: [email, rawEmail] }) !== undefined,
    };
  };
}

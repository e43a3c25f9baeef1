import type { KnownOwner, KnownRule } from "../../../contract/people/ownership-rule.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listLoginIdentifiers,
  toLoginKey,
} from "../../identifiers.ts";

/** Removes owners from rules. A rule that loses all owners stays, because it overrides the rules before it for its files. */
export function selectOwners(
  rules: readonly KnownRule[],
  isKept: (owner: KnownOwner, rule: KnownRule) => boolean,
): readonly KnownRule[] {
  return rules.map((rule) => {
    const owners = rule.owners.filter((owner) => isKept(owner, rule));
    return owners.length === rule.owners.length ? rule : { ...rule, owners };
  });
}

/**
 * Returns the identifiers of an owner. A login in a rule belongs to the repository's forge or, if that is unknown, to the forge
 * that defines the format of the file.
 */
export function listOwnerIdentifiers(
  owner: KnownOwner,
  { form }: KnownRule,
  forge: string | null,
): readonly Identifier[] {
  const known = owner.person === undefined ? [] : listLoginIdentifiers(owner.person);
  if ("team" in owner) return [];
  if ("email" in owner) return [...known, ...listAddressIdentifiers(owner.email)];
  const host = forge ?? (form === "gitlab" ? "gitlab.com" : "github.com");
  const login = toLoginKey(owner.login);
  return [...known, `login:${login}`, ...listLoginIdentifiers(`${login}@${host}`)];
}

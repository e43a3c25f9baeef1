import type { KnownOwner, KnownRule } from "../../../contract/people/ownership-rule.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listLoginIdentifiers,
  toLoginKey,
} from "../../identifiers.ts";

/** Removes owners from rules. A rule without owners stays, because it overrides the rules before it. */
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
 * Returns the identifiers of an owner. A login belongs to the repository's forge. If the forge is unknown, the format of the file
 * decides.
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

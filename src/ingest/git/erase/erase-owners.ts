/** Removes forgotten people from the rules that name them. The rule itself stays, since it still overrides earlier rules. */
import type {
  OwnershipRule,
  RepositoryOwnership,
  StatedOwner,
} from "../../../contract/people/ownership-rule.ts";

/** @param isTheirs whether an owner is a forgotten person. */
export function eraseOwners(
  { rules, unread }: RepositoryOwnership,
  isTheirs: (owner: StatedOwner, rule: OwnershipRule) => boolean,
): { readonly rest: RepositoryOwnership; readonly count: number } {
  let count = 0;
  const rest = rules.map((rule) => {
    const owners = rule.owners.filter((owner) => !isTheirs(owner, rule));
    count += rule.owners.length - owners.length;
    return owners.length === rule.owners.length ? rule : { ...rule, owners };
  });
  return { rest: { rules: rest, unread }, count };
}

/**
 * Lists the logins that an owner's login may have in lists of forgotten people: plain, and with the host, both in lower case.
 *
 * @param forge host of the repository's forge; by default that of the form.
 */
export function listOwnerLogins(
  login: string,
  { form }: Pick<OwnershipRule, "form">,
  forge: string | undefined,
): readonly string[] {
  const host = forge ?? (form === "gitlab" ? "gitlab.com" : "github.com");
  return [login, `${login}@${host}`].map((each) => each.toLowerCase());
}

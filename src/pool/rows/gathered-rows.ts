/** How the rows of one person are told from others' when the person is erased. */
import type { Facts } from "../../contract/people/facts.ts";
import { type Identifier, listIdentifiers, listNames, toLoginKey } from "../identifiers.ts";
import { isNamed } from "./names.ts";

/** Everything that the pool's file has about one person, in visible, replaced and staged rows. */
export interface GatheredRows {
  readonly identifiers: Set<Identifier>;
  readonly rowIds: Set<number>;
  /** In lower case. They are not followed: another developer may have one now, and is then somebody else. */
  readonly formerLogins: Set<string>;
  /** Names in their rows, which a reason must not contain. */
  readonly names: Set<string>;
  /** The newest row that was examined, of any person. */
  newestRowId: number;
}

export function startGathering(seed: Iterable<Identifier>): GatheredRows {
  return {
    identifiers: new Set(seed),
    rowIds: new Set(),
    formerLogins: new Set(),
    names: new Set(),
    newestRowId: 0,
  };
}

/** Adds the row if it is the person's. */
export function gatherRow(
  gathered: GatheredRows,
  { rowId, facts }: { rowId: number; facts: Facts },
): void {
  const { identifiers, rowIds, formerLogins, names } = gathered;
  const own = listIdentifiers(facts);
  if (!own.some((identifier) => identifiers.has(identifier))) return;
  rowIds.add(rowId);
  for (const identifier of own) identifiers.add(identifier);
  for (const login of facts.formerLogins ?? []) formerLogins.add(toLoginKey(login));
  for (const name of listNames(facts)) names.add(name);
}

/** Facts with an identifier contain its last part: the login, the address or the account's number. */
export function createMentionPattern(identifiers: ReadonlySet<Identifier>): RegExp {
  const words = [...identifiers].map((identifier) => {
    const [, before, word = ""] = /([:#/])([^:#/]+)$/.exec(identifier) ?? [];
    // Characters that JSON escapes, or whose lower case is ambiguous, may be written differently in the text.
    if (!/^[ !#-[\]-~]+$/.test(word)) return "";
    return before === "#" ? `${RegExp.escape(word)}[+-]` : RegExp.escape(word);
  });
  return words.includes("") ? /(?:)/ : new RegExp(words.join("|"), "i");
}

/** Whether a text names the person. */
export function isPersonNamed(text: string, { identifiers, names }: GatheredRows): boolean {
  const addresses = [...identifiers]
    .filter((identifier) => !identifier.startsWith("account:"))
    .map((identifier) => identifier.slice(identifier.indexOf(":") + 1));
  return isNamed(text, [...names, ...addresses]);
}

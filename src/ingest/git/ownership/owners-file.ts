/**
 * Parses the OWNERS files of single folders and OWNERS_ALIASES, as Kubernetes and Prow use them. Their filters are
 * regular expressions, which are never run here: the usual ones are read as texts that a path has, others are reported.
 */
import type {
  OwnershipRule,
  PathFilter,
  RepositoryOwnership,
  StatedOwner,
  UnreadOwnership,
} from "../../../contract/people/ownership-rule.ts";
import { findKeyLine, isRecord, listTexts, parseYaml } from "./owner-yaml.ts";

/** Members by alias, both in lower case, in which Prow compares logins. */
export type OwnerAliases = ReadonlyMap<string, readonly string[]>;

/** @package @returns undefined when the text is no YAML of this form. */
export function parseOwnerAliases(text: string): OwnerAliases | undefined {
  const parsed = parseYaml(text);
  if (!isRecord(parsed) || !isRecord(parsed.aliases)) return undefined;
  return new Map(
    Object.entries(parsed.aliases).map(([name, members]) => [
      name.toLowerCase(),
      listTexts(members).map((login) => login.toLowerCase()),
    ]),
  );
}

/** @package @param file path of the OWNERS file in the repository. */
export function parseOwnersFile(
  text: string,
  file: string,
  aliases: OwnerAliases,
): RepositoryOwnership {
  const parsed = parseYaml(text);
  if (!isRecord(parsed))
    return { rules: [], unread: [{ file, line: 0, reason: "no YAML that states owners" }] };
  const unread: UnreadOwnership[] = [];
  const options = isRecord(parsed.options) ? parsed.options : {};
  const common = {
    ...{
      form: "folder" as const,
      file,
      pattern: file.slice(0, Math.max(file.lastIndexOf("/"), 0)),
    },
    ...(options.no_parent_owners === true && { isFinal: true as const }),
  };
  const line = findKeyLine(text, ["owners", "approvers", "reviewers"]);
  const rules: OwnershipRule[] = [{ ...common, line, owners: listPeople(parsed, aliases) }];
  const filters = isRecord(parsed.filters) ? Object.entries(parsed.filters) : [];
  if (filters.length > filtersMax) {
    return { rules: [], unread: [{ file, line: 0, reason: `more than ${filtersMax} filters` }] };
  }
  for (const [expression, people] of filters) {
    const line = findKeyLine(text, [expression, JSON.stringify(expression).slice(1, -1)]);
    const filter = parseFilter(expression);
    const owners = listPeople(isRecord(people) ? people : {}, aliases);
    if (filter) rules.push({ ...common, line, owners, filter });
    else unread.push({ file, line, reason: "a filter is more than texts, .* and one choice" });
  }
  const isStated = ({ owners, isFinal }: OwnershipRule): boolean => owners.length > 0 || !!isFinal;
  return { rules: rules.filter(isStated), unread };
}

/** Limits on the filters of a file, and on the characters and choices of one. */
const filtersMax = 100;
const filterMax = 500;
const choicesMax = 50;

function listPeople(
  { owners, approvers, reviewers }: Readonly<Record<string, unknown>>,
  aliases: OwnerAliases,
): readonly StatedOwner[] {
  // Prow knows no `owners`; some projects, such as those of Argo, write it for their readers.
  const named = [owners, approvers, reviewers].flatMap(listTexts);
  const logins = named.flatMap((name) => aliases.get(name.toLowerCase()) ?? [name]);
  return listLoginsOnce(logins);
}

/** @package */
export function listLoginsOnce(logins: readonly string[]): readonly StatedOwner[] {
  const found = new Map<string, StatedOwner>();
  for (const written of logins) {
    const login = written.replace(/^@/, "");
    const team = /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(login);
    const key = login.toLowerCase();
    if (found.has(key)) continue;
    if (team) found.set(key, { team: login });
    else if (/^[\w.-]{1,100}$/.test(login)) found.set(key, { login });
  }
  return [...found.values()];
}

/** @returns undefined for what is more than texts, `.*`, anchors at both ends, and one choice in brackets. */
function parseFilter(expression: string): readonly PathFilter[] | undefined {
  if (expression.length > filterMax) return undefined;
  const choice = /^([^()|]*)\((?:\?:)?([^()]*)\)([^()|]*)$/.exec(expression);
  const [before = "", middle = expression, after = ""] = choice?.slice(1) ?? [];
  const found = middle.split("|").map((one) => parseAlternative(before + one + after));
  const filter = found.filter((one) => one !== undefined);
  return filter.length === found.length && found.length <= choicesMax ? filter : undefined;
}

function parseAlternative(expression: string): PathFilter | undefined {
  const fromStart = expression.startsWith("^");
  const toEnd = /(?<!\\)\$$/.test(expression);
  const body = expression.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const texts = [""];
  for (let at = 0; at < body.length; at++) {
    const character = body[at] ?? "";
    const next = body[at + 1] ?? "";
    if (character === "." && next === "*") {
      texts.push("");
      at += 1;
    } else if (character === "\\" && /[^\w\s]/.test(next)) {
      texts[texts.length - 1] += next;
      at += 1;
      // A bare dot in a path means a dot in all but theory.
    } else if (/[\\*+?[\](){}|^$]/.test(character)) return undefined;
    else texts[texts.length - 1] += character;
  }
  return { texts, fromStart, toEnd };
}

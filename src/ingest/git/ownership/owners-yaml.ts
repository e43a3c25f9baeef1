/**
 * Parses OWNERS files and OWNERS_ALIASES of Kubernetes and Prow. Filters are regular expressions, which are never run. A simple
 * filter becomes the texts that a path contains. Any other filter is reported.
 */
import { readRecord } from "../../../contract/foreign-json.ts";
import type {
  OwnershipRule,
  PathFilter,
  RepositoryOwnership,
  StatedOwner,
  UnreadOwnership,
} from "../../../contract/people/ownership-rule.ts";

/** Members by alias, both in lower case. */
export type OwnerAliases = ReadonlyMap<string, readonly string[]>;

/** The most owners in a file. `aliasesMax` is the most aliases. */
export const statedOwnersMax = 50_000;
const aliasesMax = 1000;

/** @package @returns undefined when the text is not YAML of this form, or is too large. */
export function parseOwnerAliases(text: string): OwnerAliases | undefined {
  const named = readRecord(readRecord(parseYaml(text))?.["aliases"]);
  const aliases = Object.entries(named ?? {});
  if (!named || aliases.length > aliasesMax) return undefined;
  return new Map(
    aliases.map(([name, members]) => [
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
  const parsed = readRecord(parseYaml(text));
  if (!parsed) return refuseFile(file, "no YAML that states owners");
  const unread: UnreadOwnership[] = [];
  const pattern = file.slice(0, Math.max(file.lastIndexOf("/"), 0));
  const common = {
    ...{ form: "folder" as const, file, pattern },
    ...(readRecord(parsed["options"])?.["no_parent_owners"] === true && { isFinal: true as const }),
  };
  const line = findKeyLine(text, ["owners", "approvers", "reviewers"]);
  const rules: OwnershipRule[] = [{ ...common, line, owners: listPeople(parsed, aliases) }];
  let named = rules[0]?.owners.length ?? 0;
  const filters = Object.entries(readRecord(parsed["filters"]) ?? {});
  if (filters.length > filtersMax) return refuseFile(file, `more than ${filtersMax} filters`);
  for (const [expression, people] of filters) {
    const line = findKeyLine(text, [expression, JSON.stringify(expression).slice(1, -1)]);
    const filter = parseFilter(expression);
    const owners = listPeople(readRecord(people) ?? {}, aliases);
    named += owners.length;
    if (named > statedOwnersMax) return refuseFile(file, `more than ${statedOwnersMax} owners`);
    if (filter) rules.push({ ...common, line, owners, filter });
    else unread.push({ file, line, reason: "a filter is more than texts, .* and one choice" });
  }
  const isStated = ({ owners, isFinal }: OwnershipRule): boolean => owners.length > 0 || !!isFinal;
  return { rules: rules.filter(isStated), unread };
}

/** The most filters in a file, the most characters of a filter, and the most alternatives of a filter. */
const filtersMax = 100;
const filterMax = 500;
const choicesMax = 50;

function listPeople(
  { owners, approvers, reviewers }: Readonly<Record<string, unknown>>,
  aliases: OwnerAliases,
): readonly StatedOwner[] {
  // Prow does not know `owners`, but some projects list people under it.
  const named = [owners, approvers, reviewers].flatMap(listTexts);
  const logins = named.flatMap((name) => aliases.get(name.toLowerCase()) ?? [name]);
  const found = new Map<string, StatedOwner>();
  for (const written of logins) {
    const login = written.replace(/^@/, "");
    const key = login.toLowerCase();
    if (/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(login)) found.getOrInsert(key, { team: login });
    else if (/^[\w.-]{1,100}$/.test(login)) found.getOrInsert(key, { login });
  }
  return [...found.values()];
}

/** @returns undefined if the expression contains anything but texts, `.*`, anchors, and one choice in brackets. */
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
  let read = 0;
  // Reads an unescaped dot as a dot in the path.
  for (const [part, escaped] of body.matchAll(/\.\*|\\([^\w\s])|[^\\*+?[\](){}|^$]/gy)) {
    if (part === ".*") texts.push("");
    else texts[texts.length - 1] += escaped ?? part;
    read += part.length;
  }
  return read === body.length ? { texts, fromStart, toEnd } : undefined;
}

function refuseFile(file: string, reason: string): RepositoryOwnership {
  return { rules: [], unread: [{ file, line: 0, reason }] };
}

const itemsMax = 200;

/** @returns undefined for invalid YAML, and for YAML with merged keys (`<<`). */
function parseYaml(text: string): unknown {
  if (text.includes("<<")) return undefined;
  try {
    return Bun.YAML.parse(text);
  } catch {
    return undefined;
  }
}

/** Lists the texts in a list, or a single text. Numbers may be logins too. */
function listTexts(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, itemsMax) : [value];
  return items.flatMap((item) =>
    typeof item === "string" || typeof item === "number" ? String(item).trim() || [] : [],
  );
}

/** @returns the number of the first line with one of these keys, counted from 1; 1 if there is no such line. */
function findKeyLine(text: string, keys: readonly string[]): number {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => {
    const written = line.trim().replace(/^["']/, "");
    return keys.some(
      (key) => written.startsWith(key) && /^["']?\s*:/.test(written.slice(key.length)),
    );
  });
  return Math.max(at, 0) + 1;
}

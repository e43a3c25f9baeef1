/** Finds the role that a request names, or refuses the request with a suggestion. */
import { describeUnknown, findNearest } from "../contract/complaint.ts";
import { createInvalidRequest } from "../contract/problem.ts";
import type { ReadRole, Role } from "../vocabulary/vocabulary.ts";
import type { SearchParts } from "./search-parts.ts";

type Vocabulary = SearchParts["vocabulary"];

/**
 * @package
 * @throws Problem `invalid_request` for an unknown role. It names all roles, and the nearest role or skill if there is one.
 */
export function requireRole(
  text: string,
  vocabulary: Vocabulary,
): ReadRole & { readonly role: Role } {
  const read = vocabulary.readRole(text);
  const { role, languages, rest } = read;
  if (role) return { ...read, role };
  const known = vocabulary.roles.map(({ id }) => id).join(", ");
  const why = adviseTrade(text, vocabulary) ?? adviseTrade(rest, vocabulary);
  const advice = why ?? adviseTerms(rest, languages, vocabulary);
  if (advice !== undefined)
    throw createInvalidRequest(`unknown role "${text}"${advice} Known roles: ${known}.`);
  const near =
    findNearest(rest, vocabulary.roles.flatMap(namesOf)) ?? vocabulary.suggest(rest, "role")[0];
  const complaint = describeUnknown("role", text, near, `known roles: ${known}.`);
  throw createInvalidRequest(
    near === undefined ? complaint : `${complaint} Known roles: ${known}.`,
  );
}

/** Explains why Git history does not show the trade that a text names, and suggests the nearest role or skill. */
function adviseTrade(text: string, { findTrade }: Vocabulary): string | undefined {
  const trade = findTrade(text);
  if (!trade) return undefined;
  const { why, role, skill } = trade;
  const near = [
    ...(role ? [`the nearest role is "${role.id}"`] : []),
    ...(skill ? [`the nearest skill is "${skill.name}"`] : []),
  ];
  return near.length > 0 ? `: ${why}; ${near.join(", and ")}.` : `: ${why}.`;
}

const tradeWord =
  /\s(?:developer|engineer|programmer|administrator|admin|specialist|analyst|architect|consultant|expert)s?$/i;

/** If a text names languages or a skill instead of a role, advises to search for these. */
function adviseTerms(
  text: string,
  languages: ReadRole["languages"],
  { findSkill }: Vocabulary,
): string | undefined {
  const skill = tradeWord.test(text) ? findSkill(text.replace(tradeWord, "").trim()) : undefined;
  const terms = languages.length > 0 ? languages : skill ? [skill] : [];
  if (terms.length === 0) return undefined;
  const names = terms.map(({ name }) => JSON.stringify(name)).join(", ");
  const field = languages.length > 0 ? "languages" : "skills";
  return `; ask for ${field} [${names}] instead, or together with a role.`;
}

function namesOf({ id, displayName, aliases }: Role): readonly string[] {
  return [id, displayName, ...aliases];
}

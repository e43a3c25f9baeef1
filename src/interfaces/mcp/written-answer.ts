/**
 * Cleans the data of an answer and writes it as text and as JSON. Most data comes from the stored cards of people. Each card is
 * written only once, because writing takes a third of the time of a profile call.
 */
import { type Meta, type Payload, writeFields } from "../../contract/envelope.ts";
import { cleanForModel } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import type { SearchData, SearchResultItem } from "../../contract/people/developer.ts";
import type { FindData, FindRequest } from "../../contract/people/found-person.ts";
import type { SearchRequest } from "../../contract/requests.ts";
import { type CardText, formatCard, viewSearch } from "../../operations/developer-view.ts";
import type { Operation } from "../../operations/operation.ts";
import { listLines } from "../../operations/view.ts";
import { cleanData, type JsonSchema } from "./tool-schemas.ts";

export interface WrittenAnswer {
  readonly lines: readonly string[];
  /** The fields of the data as JSON, without the outer braces. */
  readonly fields: string;
}

export type AnsweredData = Pick<Payload, "value"> & Partial<Pick<Payload, "cards">>;

/** @param schema has the fields to show. Other fields are left out. */
export function writeAnswer(
  operation: Pick<Operation, "name" | "view">,
  { value, cards }: AnsweredData,
  schema: JsonSchema,
): WrittenAnswer {
  const [card] = cards ?? [];
  if (operation.name === "get_developer" && card) {
    return findOrWrite(profiles, card, schema, () => writeData(operation, value, schema));
  }
  if (operation.name === "search_developers" && cards) {
    return writeSearch(value as SearchData, cards, schema);
  }
  return writeData(operation, value, schema);
}

function writeData(
  operation: Pick<Operation, "view">,
  data: unknown,
  schema: JsonSchema,
): WrittenAnswer {
  const cleaned = cleanData(data, schema) as object;
  return { lines: formatLines(operation, cleaned), fields: writeFields(cleaned) };
}

/** Writes data of unknown shape as JSON. Every text is treated as foreign. */
export function writeUnread({ value: data }: AnsweredData): WrittenAnswer {
  const cleaned = cleanData({ data }, {}) as object;
  return { lines: formatLines({}, data), fields: writeFields(cleaned) };
}

/** A cache by card and schema. A changed person gets a new card. */
type CachedByCard<Written> = WeakMap<object, Map<JsonSchema, Written>>;

function findOrWrite<Written>(
  by: CachedByCard<Written>,
  card: object,
  schema: JsonSchema,
  write: () => Written,
) {
  return by
    .getOrInsertComputed(card, () => new Map())
    .getOrInsertComputed(schema, write) as Written;
}

const profiles: CachedByCard<WrittenAnswer> = new WeakMap();

interface CachedResult {
  readonly text: CardText;
  readonly fields: string;
}

const results: CachedByCard<CachedResult> = new WeakMap();

function writeSearch(
  data: SearchData,
  cards: readonly object[],
  schema: JsonSchema,
): WrittenAnswer {
  const { results: found, ...around } = data;
  const item = schema.properties?.["results"]?.items ?? {};
  const own = found.map((result) => cleanData(pickOwn(result), item) as SearchResultItem);
  const written = found.map((result, at) => writeResult(result, cards[at] as object, item));
  const cleaned = { ...(cleanData(around, schema) as typeof around), results: own };
  const items = own.map((result, at) => `{${writeFields(result)},${written[at]?.fields}}`);
  const fields = Object.entries(data).map(([name, value]) =>
    name === "results"
      ? `"results":[${items.join()}]`
      : writeFields(cleanData({ [name]: value }, schema) as object),
  );
  const texts = written.map(({ text }) => text);
  const lines = listLines(viewSearch(cleaned, texts));
  return { lines, fields: fields.filter((field) => field !== "").join() };
}

/** Picks the login, and the fields that depend on the search. They come first in a result. */
function pickOwn(result: SearchResultItem) {
  const { login, score, profile_score, tech_stack_score, activity_score, matching_keywords } =
    result;
  return { login, score, profile_score, tech_stack_score, activity_score, matching_keywords };
}

function writeResult(result: SearchResultItem, card: object, item: JsonSchema): CachedResult {
  return findOrWrite(results, card, item, () => {
    const own = pickOwn(result);
    const rest = Object.entries(result).filter(([name]) => !(name in own));
    const cleaned = cleanData(Object.fromEntries(rest), item) as Partial<SearchResultItem>;
    const { login } = cleanData(own, item) as SearchResultItem;
    return { text: formatCard(login, cleaned), fields: writeFields(cleaned) };
  });
}

export interface Advice {
  readonly nextOffset?: number;
  readonly hints: readonly string[];
}

export function findAdvice(operation: string, data: unknown, request: unknown): Advice {
  if (operation === "search_developers") {
    return adviseSearch(data as SearchData, request as SearchRequest);
  }
  if (operation === "find_people") return adviseFinding(data as FindData, request as FindRequest);
  return { hints: [] };
}

/** Lists the lines of an answer. Without a view, the answer is shown as JSON. */
export function formatLines({ view }: Pick<Operation, "view">, data: unknown): readonly string[] {
  return view ? listLines(view(data)) : [cleanForModel(JSON.stringify(data), fallbackLettersMax)];
}

/** @package Joins the lines of an answer. Adds hints and the number of calls used. */
export function joinLines(
  lines: readonly string[],
  { quota }: Pick<Meta, "quota">,
  { nextOffset, hints }: Advice,
): string {
  const of = quota.limit < 0 ? "" : ` of ${quota.limit}`;
  return [
    ...lines,
    ...hints,
    nextOffset === undefined ? "" : `The next page has offset ${nextOffset}.`,
    `Calls used in ${quota.month}: ${quota.used}${of}.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

const fallbackLettersMax = 20_000;

/** @package Finds the offset of the next page, and hints for a better search. */
function adviseSearch(data: SearchData, request: SearchRequest): Advice {
  const { matchedCount, totalCount, locationSuggestions, unknownSkills } = data;
  const { offset = 0 } = request;
  const next = offset + matchedCount;
  const hasMore = matchedCount > 0 && next < totalCount;
  const hints = [
    unknownSkills?.length ? "Find the known names of skills with lookup_terms." : "",
    locationSuggestions ? "Ask for a known place (lookup_terms names them), or for worldwide." : "",
    !locationSuggestions && totalCount === 0 ? `To find somebody, ${suggestWider(request)}.` : "",
    matchedCount === 0 && totalCount > 0
      ? "Nobody is left at this offset: ask for a lower one."
      : "",
    hasMore && next > limits.offsetMax
      ? `No offset goes beyond ${limits.offsetMax}: to see the others, ask for fewer.`
      : "",
  ].filter((hint) => hint !== "");
  return { hints, ...(hasMore && next <= limits.offsetMax ? { nextOffset: next } : {}) };
}

function adviseFinding({ total, results }: FindData, { offset = 0 }: FindRequest): Advice {
  const next = offset + results.length;
  const hasMore = results.length > 0 && next < total && next <= limits.offsetMax;
  const hint = "Ask with fewer words of the name, or with their beginnings.";
  return { hints: total === 0 ? [hint] : [], ...(hasMore ? { nextOffset: next } : {}) };
}

/** Suggests which search filters to leave out, the most restrictive first. */
function suggestWider(request: SearchRequest): string {
  const filters = [
    request.strictSkills && (request.skills?.length ?? 0) > 1 && "strictSkills",
    request.isHireable && "isHireable",
    request.activeSince && "activeSince",
    request.minExperienceYears && "minExperienceYears",
    request.maxExperienceYears !== undefined && "maxExperienceYears",
    request.company && "company",
    request.repositories?.length && "repositories",
    request.languages?.length && "languages",
    request.skills?.length && "skills",
    request.role && "role",
  ].filter(Boolean);
  const wider = "ask for a wider place: its country, or worldwide";
  return filters.length > 0 ? `leave out ${filters.join(" or ")}, or ${wider}` : wider;
}

/**
 * Writes the data of an answer, cleaned, as text and as JSON. What an answer shows of a stored card is the same in every
 * answer, and most of it: it is cleaned and written once for all calls.
 */
import { writeFields } from "../../contract/envelope.ts";
import type { Developer, SearchData, SearchResultItem } from "../../contract/people/developer.ts";
import { formatLines } from "./answer-text.ts";
import { type CardWords, formatCard, formatFoundCard, formatSearchHead } from "./people-text.ts";
import { cleanData, type JsonSchema } from "./tool-schemas.ts";

export interface WrittenAnswer {
  readonly lines: readonly string[];
  /** The fields of the data as JSON, without its braces. */
  readonly fields: string;
}

export interface AnsweredData {
  readonly data: unknown;
  /** The stored cards that it is made of, as `Payload` names them. */
  readonly cards?: readonly object[] | undefined;
}

/** @param schema of what the answer shows; other fields are left out. */
export function writeAnswer(
  operation: string,
  { data, cards }: AnsweredData,
  schema: JsonSchema,
): WrittenAnswer {
  const [card] = cards ?? [];
  if (operation === "get_developer" && card) return writeProfile(data as Developer, card, schema);
  if (operation === "search_developers" && cards)
    return writeSearch(data as SearchData, cards, schema);
  return writeData(operation, data, schema);
}

function writeData(operation: string, data: unknown, schema: JsonSchema): WrittenAnswer {
  const cleaned = cleanData(data, schema) as object;
  return { lines: formatLines(operation, cleaned), fields: writeFields(cleaned) };
}

/** Whatever shape it has: every text is taken for a third party's, and shown as JSON. */
export function writeUnread({ data }: AnsweredData): WrittenAnswer {
  const cleaned = cleanData({ data }, {}) as object;
  return { lines: formatLines("", data), fields: writeFields(cleaned) };
}

/** By schema, since each operation and each detail shows other fields. Gone with the card, which a change replaces. */
type KeptByCard<Kept> = WeakMap<object, Map<JsonSchema, Kept>>;

function keep<Kept>(by: KeptByCard<Kept>, card: object, schema: JsonSchema, write: () => Kept) {
  return by.getOrInsertComputed(card, () => new Map()).getOrInsertComputed(schema, write) as Kept;
}

const profiles: KeptByCard<WrittenAnswer> = new WeakMap();

function writeProfile(data: Developer, card: object, schema: JsonSchema): WrittenAnswer {
  return keep(profiles, card, schema, () => writeData("get_developer", data, schema));
}

interface KeptResult {
  readonly words: CardWords;
  readonly fields: string;
}

const results: KeptByCard<KeptResult> = new WeakMap();

function writeSearch(
  data: SearchData,
  cards: readonly object[],
  schema: JsonSchema,
): WrittenAnswer {
  const { results: found, ...around } = data;
  const item = schema.properties?.["results"]?.items ?? {};
  const lines = formatSearchHead(cleanData(around, schema) as typeof around);
  const items: string[] = [];
  for (const [at, result] of found.entries()) {
    const own = cleanData(pickOwn(result), item) as SearchResultItem;
    const { words, fields } = keepResult(result, cards[at] as object, item);
    lines.push(...formatFoundCard(own, at, words));
    items.push(`{${writeFields(own)},${fields}}`);
  }
  const fields = Object.entries(data).map(([name, value]) =>
    name === "results"
      ? `"results":[${items.join()}]`
      : writeFields(cleanData({ [name]: value }, schema) as object),
  );
  return { lines, fields: fields.filter((field) => field !== "").join() };
}

/** What a search decides; it comes first in a result. The login is the card's, and comes before that. */
function pickOwn(result: SearchResultItem) {
  const { login, score, profile_score, tech_stack_score, activity_score, matching_keywords } =
    result;
  return { login, score, profile_score, tech_stack_score, activity_score, matching_keywords };
}

function keepResult(result: SearchResultItem, card: object, item: JsonSchema): KeptResult {
  return keep(results, card, item, () => {
    const own = pickOwn(result);
    const rest = Object.entries(result).filter(([name]) => !(name in own));
    const cleaned = cleanData(Object.fromEntries(rest), item) as Partial<SearchResultItem>;
    const { login } = cleanData(own, item) as SearchResultItem;
    return { words: formatCard(login, cleaned), fields: writeFields(cleaned) };
  });
}

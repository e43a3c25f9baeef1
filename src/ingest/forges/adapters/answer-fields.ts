/** Reads fields of a forge's answer. A field that is absent, empty or of the wrong type is undefined. */
import { readRecord } from "../../../contract/foreign-json.ts";
import {
  type AccountFacts,
  type CommitAuthor,
  ForgeOverload,
  type ForgeRepository,
  type ForgeStep,
} from "../forge.ts";

/** @package An object in a forge's answer. */
export type AnswerObject = Readonly<Record<string, unknown>>;

/** @package Returns the fields of an object. Any other value has no fields. */
export function readFields(value: unknown): AnswerObject {
  return readRecord(value) ?? {};
}

/** @package Lists the objects in a list. Any other value has no objects. */
export function listObjects(value: unknown): readonly AnswerObject[] {
  if (!Array.isArray(value)) return [];
  return value.map(readRecord).filter((one) => one !== undefined);
}

/** @package Lists the nodes of a GraphQL connection. */
export function listNodes(connection: unknown): readonly AnswerObject[] {
  return listObjects(readFields(connection)["nodes"]);
}

const textMax = 10_000;

/** @package Reads a text without the characters that facts must not have. */
export function readField(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.slice(0, textMax).toWellFormed().replace(controls, "").trim();
  return text === "" ? undefined : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

const readForm = (form: RegExp) => (value: unknown) =>
  typeof value === "string" && form.test(value) ? value : undefined;

/** @package Accepts the logins of every forge, also `name[bot]` of GitHub. */
export const readLogin = readForm(/^[A-Za-z0-9._-]{1,100}(\[bot\])?$/);

/** @package Accepts `owner/name` and `group/subgroup/name`. */
export const readRepositoryName = readForm(/^(?=.{1,300}$)[\w.~+-]+(\/[\w.~+-]+)+$/);

/** @package */
export const readAddress = readForm(/^(?=.{3,320}$)[^\s\p{C}@<>"]+@[^\s\p{C}@<>"]+$/u);

/** @package Reads the number of an account or a repository. Some forges write it as a text. */
export function readNumber(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^[1-9]\d{0,18}$/.test(text) ? text : undefined;
}

/** @package */
export function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

const yearTenThousand = Date.UTC(10_000, 0);

/** @package Reads an instant in UTC, to the second. Undefined means no instant, or one before 1970. */
export function readInstant(value: unknown): string | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (!(at > 0 && at < yearTenThousand)) return undefined;
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** @package */
export function readWebAddress(value: unknown): string | undefined {
  const text = readField(value);
  return text && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** @package Removes the fields that are undefined. */
export function dropAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The unchecked fields of an account, under their names in facts. */
interface GivenAccount
  extends Pick<AccountFacts, "isBot" | "addresses">,
    Partial<Record<keyof AccountFacts["profile"], unknown>> {
  readonly number: unknown;
  readonly login: unknown;
}

/** @package Reads an account. @returns undefined if the answer lacks its number or login. */
export function readAccountFacts(given: GivenAccount): AccountFacts | undefined {
  const [number, login] = [readNumber(given.number), readLogin(given.login)];
  if (number === undefined || login === undefined) return undefined;
  return {
    ...{ number, login, isBot: given.isBot },
    profile: dropAbsent({
      name: readField(given.name),
      bio: readField(given.bio),
      company: readField(given.company),
      location: readField(given.location),
      blog: readWebAddress(given.blog),
      socialUsername: readField(given.socialUsername)?.replace(/^@/, ""),
      avatarUrl: readWebAddress(given.avatarUrl),
      profileUrl: readWebAddress(given.profileUrl),
      // A missing flag means that the person said nothing about availability.
      hireable: given.hireable === true ? true : undefined,
      followers: readCount(given.followers),
      createdAt: readInstant(given.createdAt),
      updatedAt: readInstant(given.updatedAt),
    }),
    addresses: given.addresses,
  };
}

const topicsMax = 50;

/** The unchecked fields of a repository, under their names in facts. */
interface GivenRepository extends Partial<Record<keyof ForgeRepository | "kilobytes", unknown>> {
  readonly isFork: boolean;
  readonly urls: readonly unknown[];
}

/** @package Reads a repository. @returns undefined if the answer lacks its number or name. */
export function readRepositoryFacts(given: GivenRepository): ForgeRepository | undefined {
  const [number, name] = [readNumber(given.number), readRepositoryName(given.name)];
  if (number === undefined || name === undefined) return undefined;
  const named = Array.isArray(given.topics) ? given.topics : [];
  const topics = named.flatMap((topic) => readField(topic) ?? []).slice(0, topicsMax);
  const kilobytes = readCount(given.kilobytes);
  return {
    ...{ number, name, isFork: given.isFork, owner: readNumber(given.owner) },
    urls: given.urls.flatMap((url) => readField(url) ?? []),
    ...dropAbsent({
      stars: readCount(given.stars),
      forks: readCount(given.forks),
      topics: topics.length > 0 ? topics : undefined,
      description: readField(given.description),
      language: readField(given.language),
      pushedAt: readInstant(given.pushedAt),
      megabytes: kilobytes === undefined ? undefined : kilobytes / 1024,
    }),
  };
}

/** @package Reads the account of a commit's author. "nobody" means that the author has no account. */
export function readAuthor(number: unknown, login: unknown): CommitAuthor {
  const [known, name] = [readNumber(number), readLogin(login)];
  return known === undefined || name === undefined ? "nobody" : { number: known, login: name };
}

/** @package Asks about many items at once. If the forge cannot answer, each half of the items is asked about separately. */
export async function askInHalves<Item, Answer>(
  items: readonly Item[],
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  if (items.length === 0) return [];
  try {
    return await ask(items);
  } catch (error) {
    if (!(error instanceof ForgeOverload) || items.length === 1) throw error;
    const middle = Math.ceil(items.length / 2);
    const first = await askInHalves(items.slice(0, middle), ask);
    return [...first, ...(await askInHalves(items.slice(middle), ask))];
  }
}

/** @package Returns the cursor of the next page of a GraphQL connection. */
export function readNextCursor(list: AnswerObject): string | undefined {
  const { hasNextPage, endCursor } = readFields(list["pageInfo"]);
  return hasNextPage === true ? readField(endCursor) : undefined;
}

/**
 * @package Follows a list up to a limit. Its cursors contain the number of items that were read, and the forge's cursor.
 * @returns the forge's own cursor, and a function that cuts a page at the limit and gives the next cursor.
 */
export function followList({ cursor }: ForgeStep, limit = Number.POSITIVE_INFINITY) {
  const [, count, own = cursor] = /^(\d+) (.+)$/.exec(cursor ?? "") ?? [];
  const read = Number(count ?? 0);
  const cut = <Item>(items: readonly Item[], next: string | undefined) => {
    if (limit === Number.POSITIVE_INFINITY) return { items, next };
    const total = read + items.length;
    const isOver = next === undefined || total >= limit;
    return { items: items.slice(0, limit - read), next: isOver ? undefined : `${total} ${next}` };
  };
  return { cursor: own, cut };
}

/**
 * Classifies authors as human, bot, assistant or nobody. The lists in `seed/` come first. Another author is a bot if the name
 * ends in `[bot]`, or if both name and behavior show a bot.
 */
import rules from "../../../../seed/bots.json" with { type: "json" };
import type { AuthorClass } from "../../../contract/people/facts.ts";
import {
  isGenericAddress,
  normaliseAddress,
  parseNoreplyAddress,
} from "../../../identity/address.ts";
import {
  foldPersonName,
  isDefaultName,
  isDeletedName,
  isNobodyName,
  isTeamName,
  toFullName,
} from "../../../identity/person-name.ts";
import { agents, findAgentByAuthor } from "../credit/agents.ts";
import type { AuthorClassification } from "./author-identity.ts";
import type { ClassRule } from "./rules.ts";

interface WrittenName {
  readonly name: string;
  readonly emails: Iterable<string>;
}

export const humanClass: AuthorClassification = { class: "human", reason: undefined };

/** Classifies an author by the first matching line of the operator's class file. */
export function classifyByOperator([rule]: readonly ClassRule[]): AuthorClassification | undefined {
  if (!rule) return undefined;
  const reason = rule.class === "human" ? undefined : rule.reason;
  return { class: rule.class, reason, isSettled: true };
}

export function classifyByName(author: WrittenName): AuthorClassification {
  const name = author.name.trim().toLowerCase();
  // A name with a hyphen or a bracket may be a login: `renovate-bot`, `x[bot]`.
  const keys = /[[\]-]/.test(name) ? [`name:${name}`, `login:${name}`] : [`name:${name}`];
  const locals: string[] = [];
  for (const raw of author.emails) {
    const email = normaliseAddress(raw);
    const account = parseNoreplyAddress(email);
    keys.push(`email:${email}`, `email:${email.slice(email.lastIndexOf("@"))}`);
    if (account) keys.push(`login:${account.login}`);
    const local = `login:${email.slice(0, email.lastIndexOf("@"))}`;
    if (local.endsWith("[bot]")) keys.push(local);
    locals.push(local);
  }
  const known =
    find(assistants, keys) ??
    find(bots, keys) ??
    findPattern([...keys, ...locals]) ??
    find(assistants, listAgentKeys(name, [...keys, ...locals]));
  if (known) return known;
  const hasSuffix = [name, ...keys].some((key) => key.endsWith("[bot]"));
  if (hasSuffix) return { class: "bot", reason: "The name ends in [bot]." };
  return classifyNobody(author) ?? humanClass;
}

function listAgentKeys(name: string, keys: readonly string[]): readonly string[] {
  const logins = keys.flatMap((key) => (key.startsWith("login:") ? [key.slice(6)] : []));
  return [name, ...logins].flatMap((text) => {
    const agent = findAgentByAuthor(text);
    return agent === undefined ? [] : [`id:${agent}`];
  });
}

/** Recognizes names of nobody in particular, such as names of teams, and `root`. */
function classifyNobody({ name, emails }: WrittenName): AuthorClassification | undefined {
  if (isTeamName(name)) return { class: "nobody", reason: `"${name}" is the name of a group.` };
  const addresses = [...emails].map(normaliseAddress);
  const accounts = addresses.flatMap((address) => parseNoreplyAddress(address) ?? []);
  const logins = accounts.map(({ login }) => login);
  if (logins.includes("ghost") || [name, ...logins].some(isDeletedName)) {
    return { class: "nobody", reason: "The account was deleted." };
  }
  if (accounts.length > 0) return undefined;
  if (isNobodyName(name)) {
    return { class: "nobody", reason: `The name "${name}" says of nobody who it is.` };
  }
  const isNameless = foldPersonName(name).length === 0 || isDefaultName(name);
  if (!isNameless || !addresses.every(isGenericAddress)) return undefined;
  return { class: "nobody", reason: "Neither the name nor the address says who it is." };
}

/**
 * Decides by behavior whether an author with a suspicious name is a bot.
 * @param behaviour.templates number of different commit subjects. Numbers and versions in subjects are ignored.
 * @param behaviour.routine number of commits that change only lock files and manifests.
 */
export function classifyByBehaviour(
  author: WrittenName,
  { commits, templates, routine }: Record<"commits" | "templates" | "routine", number>,
): AuthorClassification {
  if (commits < commitsMin) return humanClass;
  const clue = findBotClue(author);
  if (!clue) return humanClass;
  const { word, isStrong } = clue;
  const toBot = (what: string): AuthorClassification => ({
    ...{ class: "bot", reason: `The name says "${word}" and ${what}.` },
  });
  if (isStrong && templates <= Math.max(2, commits * 0.1)) {
    return toBot(`${commits} commits have ${templates} forms of message`);
  }
  if (routine >= commits * 0.95) {
    return toBot(`${routine} of ${commits} commits touch only lock files and manifests`);
  }
  return humanClass;
}

/** Marks an author as a bot if a bot under another address has the same name. */
export function classifyNamesakes(
  identities: readonly { readonly name: string; classified: AuthorClassification }[],
): void {
  const isBot = ({ name, classified }: (typeof identities)[number]) =>
    classified.class === "bot" && findBotClue({ name, emails: [] }) !== undefined;
  const bots = new Map(identities.filter(isBot).map(({ name }) => [name.toLowerCase(), name]));
  for (const identity of identities) {
    const { class: kind, isSettled } = identity.classified;
    const bot = bots.get(identity.name.toLowerCase());
    if (kind !== "human" || isSettled || bot === undefined) continue;
    identity.classified = { class: "bot", reason: `${bot} is a bot under another address.` };
  }
}

/** Finds a word in the name or address that suggests a bot. A weak word, such as `build`, may also describe a human. */
export function findBotClue(author: WrittenName) {
  const locals = [...author.emails]
    .map(normaliseAddress)
    .filter((email) => parseNoreplyAddress(email) || !isGenericAddress(email))
    .map((email) => email.slice(0, email.lastIndexOf("@")));
  const words = [author.name, ...locals].flatMap(wordsOf);
  const strong =
    words.find((candidate) => tokens.has(candidate)) ??
    (toFullName(author.name)
      ? undefined
      : words.flatMap((word) => gluedEnd.exec(word)?.[1] ?? [])[0]) ??
    findJoined(author.name);
  if (strong) return { word: strong, isStrong: true };
  const weak = words.find((candidate) => weakTokens.has(candidate));
  return weak === undefined ? undefined : { word: weak, isStrong: false };
}

/** Finds a suspicious word at the end of a longer name: `example-build`, `Nightly Sync`. */
function findJoined(name: string): string | undefined {
  const last = /[^\s_-][-_\s]+([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? "";
  return joinedTokens.has(last) ? last : undefined;
}

/** The fewest commits that show behavior. */
const commitsMin = 5;

const tokens = new Set(rules.nameToken.words);
const weakTokens = new Set(rules.nameToken.weak);
const joinedTokens = new Set(rules.nameToken.joined);
const gluedEnd = new RegExp(`.(${rules.nameToken.glued.join("|")})$`);
const marks = ["login", "email", "name", "id"] as const;
const assistants = tabulate(
  "assistant",
  agents.map(({ id, name: reason, login, email, author }) => ({
    ...{ id: [id], reason, login, email, name: author },
  })),
);
const bots = tabulate("bot", rules.bots);
const patterns = rules.bots.flatMap(({ pattern = [], reason }) =>
  pattern.map((text) => [new RegExp(text), { class: "bot", reason } as const] as const),
);

type Rule = { readonly [Mark in (typeof marks)[number]]?: readonly string[] | undefined } & {
  readonly reason: string;
};

function tabulate(kind: AuthorClass, entries: readonly Rule[]) {
  const found = new Map<string, AuthorClassification>();
  for (const rule of entries) {
    for (const mark of marks) {
      const classified = { class: kind, reason: rule.reason };
      for (const text of rule[mark] ?? []) found.set(`${mark}:${text.toLowerCase()}`, classified);
    }
  }
  return found;
}

const find = (known: ReadonlyMap<string, AuthorClassification>, keys: readonly string[]) =>
  keys.map((key) => known.get(key)).find((classified) => classified !== undefined);

const findPattern = (keys: readonly string[]): AuthorClassification | undefined =>
  patterns.find(([pattern]) => keys.some((key) => pattern.test(key)))?.[1];

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

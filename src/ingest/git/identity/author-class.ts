/**
 * Classifies authors as humans, bots or assistants. Known bots and assistants are listed in seed/bots.json with a
 * reason. An unknown author is a bot only if both the name and the behaviour say so: names alone have
 * misclassified people.
 */

import rules from "../../../../seed/bots.json" with { type: "json" };
import type { AuthorClass } from "../../../contract/people/facts.ts";
import { normaliseAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import type { AuthorClassification } from "./author-identity.ts";
import type { ClassRule } from "./rules.ts";

/** Figures on the commits of an author whom no list knows. */
export interface AuthorBehaviour {
  readonly commits: number;
  /** Number of different subjects, ignoring numbers, versions and package names. */
  readonly templates: number;
  /** Commits that touch only lock files and manifests. */
  readonly routine: number;
}

export const humanClass: AuthorClassification = { class: "human", reason: undefined };

/** @param rules the matching lines of the class file; the first decides. */
export function classifyByOperator([rule]: readonly ClassRule[]): AuthorClassification | undefined {
  if (!rule) return undefined;
  const reason = rule.class === "human" ? undefined : rule.reason;
  return { class: rule.class, reason, isSettled: true };
}

/** Classifies by the lists and by the `[bot]` suffix. */
export function classifyByName(author: {
  readonly name: string;
  readonly emails: Iterable<string>;
}): AuthorClassification {
  const name = author.name.trim().toLowerCase();
  // A name counts as a login only if it is no human name: `renovate-bot`, `x[bot]`.
  const keys = /[[\]-]/.test(name) ? [`name:${name}`, `login:${name}`] : [`name:${name}`];
  for (const raw of author.emails) {
    const email = normaliseAddress(raw);
    const account = parseNoreplyAddress(email);
    keys.push(`email:${email}`, `email:${email.slice(email.lastIndexOf("@"))}`);
    if (account) keys.push(`login:${account.login}`);
    if (/\[bot\]@/.test(email)) keys.push(`login:${email.slice(0, email.lastIndexOf("@"))}`);
  }
  const known = find(assistants, keys) ?? find(bots, keys);
  if (known) return known;
  const hasSuffix = [name, ...keys].some((key) => key.endsWith("[bot]"));
  return hasSuffix ? { class: "bot", reason: "The name ends in [bot]." } : humanClass;
}

/** Classifies authors whom no list knows. */
export function classifyByBehaviour(
  author: { readonly name: string; readonly emails: Iterable<string> },
  behaviour: AuthorBehaviour,
): AuthorClassification {
  const { commits, templates, routine } = behaviour;
  if (commits < commitsMin) return humanClass;
  const names = [author.name];
  for (const email of author.emails) names.push(email.slice(0, email.lastIndexOf("@")));
  const word = names.flatMap(wordsOf).find((candidate) => tokens.has(candidate));
  if (!word) return humanClass;
  if (templates <= Math.max(2, commits * 0.1)) {
    return {
      class: "bot",
      reason: `The name says "${word}" and ${commits} commits have ${templates} forms of message.`,
    };
  }
  if (routine >= commits * 0.95) {
    return {
      class: "bot",
      reason: `The name says "${word}" and ${routine} of ${commits} commits touch only lock files and manifests.`,
    };
  }
  return humanClass;
}

/** Minimum number of commits for a judgement by behaviour. */
const commitsMin = 5;

const tokens = new Set(rules.nameToken.words);
const assistants = table("assistant", rules.assistants);
const bots = table("bot", rules.bots);

interface Rule {
  readonly login?: readonly string[];
  readonly email?: readonly string[];
  readonly name?: readonly string[];
  readonly reason: string;
}

function table(
  kind: AuthorClass,
  entries: readonly Rule[],
): ReadonlyMap<string, AuthorClassification> {
  const found = new Map<string, AuthorClassification>();
  for (const { login = [], email = [], name = [], reason } of entries) {
    const classified = { class: kind, reason };
    for (const text of login) found.set(`login:${text.toLowerCase()}`, classified);
    for (const text of email) found.set(`email:${text.toLowerCase()}`, classified);
    for (const text of name) found.set(`name:${text.toLowerCase()}`, classified);
  }
  return found;
}

function find(
  known: ReadonlyMap<string, AuthorClassification>,
  keys: readonly string[],
): AuthorClassification | undefined {
  for (const key of keys) {
    const classified = known.get(key);
    if (classified) return classified;
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

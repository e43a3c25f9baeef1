/**
 * Which authors are not people. Known ones come from seed/bots.json, each with its reason; an unknown
 * one needs a name that says so *and* the behaviour of one: a name alone has called people bots.
 */

import rules from "../../../../seed/bots.json" with { type: "json" };
import type { AuthorClass } from "../../../contract/people/facts.ts";
import { normaliseAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import type { AuthorClassification } from "./author-identity.ts";
import type { ClassRule } from "./rules.ts";

/** What an author's commits look like, for authors that no list knows. */
export interface AuthorBehaviour {
  readonly commits: number;
  /** Different subjects once numbers, versions and names of packages are taken out. */
  readonly templates: number;
  /** Commits that touch nothing but lock files and manifests. */
  readonly routine: number;
}

export const humanClass: AuthorClassification = { class: "human", reason: undefined };

/** @param rules lines of the operator's file that fit; the first decides. */
export function classifyByOperator([rule]: readonly ClassRule[]): AuthorClassification | undefined {
  if (!rule) return undefined;
  const reason = rule.class === "human" ? undefined : rule.reason;
  return { class: rule.class, reason, isSettled: true };
}

/** By lists and by the `[bot]` suffix; knows nothing of behaviour. */
export function classifyByName(author: {
  readonly name: string;
  readonly emails: Iterable<string>;
}): AuthorClassification {
  const name = author.name.trim().toLowerCase();
  // Of names only those that no parent gives may be a login: `renovate-bot`, `x[bot]`.
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
  const marked = [name, ...keys].some((key) => key.endsWith("[bot]"));
  return marked ? { class: "bot", reason: "The name ends in [bot]." } : humanClass;
}

/** For authors that no list knows. */
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

/** Commits below which behaviour says nothing. */
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

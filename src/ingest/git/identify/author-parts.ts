/** Divides authors and accounts into parts. No rule of identity compares members of different parts. */
import { type AccountKey, listNoreplyHosts } from "../../forges/forge-people.ts";
import { digestTexts } from "../digest-texts.ts";
import { findBotClue } from "./author-class.ts";
import { createIdentityFinder, listApart } from "./author-identities.ts";
import type { AuthorRow, AuthorTraits } from "./author-rows.ts";
import type { IdentityContext } from "./community.ts";
import { getReach, type Link, listLinks, reach } from "./links.ts";
import { findChains, splitByLinks } from "./partition.ts";
import { assignAccount, createPersonas, listAssigned } from "./personas.ts";
import { createLineMatcher, type NamedAuthor, rulesEdition, type Statement } from "./rules.ts";

export type AuthorPart = ReturnType<typeof splitAuthors>["parts"][number];

interface Node {
  readonly row: AuthorRow | undefined;
  readonly account: AccountKey | undefined;
  readonly assigned: readonly AccountKey[];
  readonly traits?: AuthorTraits;
  readonly links: readonly Link[];
  readonly repositories: readonly string[];
  /** Everything about this author or account that the rules read, as text. */
  readonly describe: () => string;
  /** Indexes of the groups of statements that name this author or account. */
  readonly stated: readonly number[];
}

/** @returns the parts, and the traits that differ from the stored traits. */
export function splitAuthors(context: IdentityContext) {
  const { sameCommits } = context.authors;
  const statements = groupStatements(context.rules.statements);
  const nodes = [
    ...listAuthors(context, statements.find),
    ...listAccounts(context, statements.find),
  ];
  const index = new Map(nodes.map(({ row, account }, at) => [row?.id ?? account, at]));
  const ties: (readonly [number, number])[] = [];
  const others = new Map<number, string[]>();
  for (const [a, b] of sameCommits) {
    const [one, other] = [index.get(a), index.get(b)];
    if (one === undefined || other === undefined) continue;
    ties.push([one, other]);
    others.getOrInsertComputed(one, () => []).push(`${b}`);
  }
  const firstStated = new Map<number, number>();
  for (const [at, { stated, assigned }] of nodes.entries()) {
    for (const account of assigned) ties.push([index.get(account) ?? at, at]);
    for (const group of stated) ties.push([firstStated.getOrInsert(group, at), at]);
  }
  const general = describeRules(context);
  const parts = splitByLinks(nodes, ties).map((members) => {
    const some = members.flatMap((at) => nodes[at] ?? []);
    const groups = new Set(some.flatMap(({ stated }) => stated));
    return {
      authors: some.flatMap(({ row }) => row ?? []),
      accounts: new Set(some.flatMap(({ account }) => account ?? [])),
      handles: some.flatMap(({ links }) => links.filter((link) => getReach(link) === reach.handle)),
      /** Digest of the rules, statements, authors and accounts that decide how the part is identified. */
      digest: digestTexts([
        general,
        ...[...groups].sort((a, b) => a - b).map(statements.describe),
        ...members.map((at) => `${nodes[at]?.describe()} ${others.get(at) ?? ""}`),
      ]),
    };
  });
  const found = nodes.flatMap(({ row, traits }) =>
    row && traits && traits !== row.traits ? [[row.id, traits] as const] : [],
  );
  return { parts, traits: new Map(found) };
}

/** Describes the rules as text, without the operator's statements. */
function describeRules({ rules }: IdentityContext): string {
  const { statements: _, forges, fingerprint: __, ...others } = rules;
  const hosts = [...listNoreplyHosts(forges?.content())];
  return JSON.stringify({ ...others, edition: rulesEdition, hosts });
}

type Stated = (author: NamedAuthor) => readonly number[];

function* listAuthors(context: IdentityContext, findStated: Stated): Generator<Node> {
  const findTraits = createTraitsFinder(context);
  for (const row of context.authors.all) {
    const { repositories, work, address, rawAddress, traits: _, ...told } = row;
    const traits = findTraits(row);
    const assigned = listAssigned(context.forges, { email: address, rawEmail: rawAddress });
    const behaviour = () => (traits.isSuspect ? work.map(({ digest }) => digest) : []);
    yield {
      ...{ row, account: undefined, assigned, repositories, links: traits.links, traits },
      describe: () => JSON.stringify([told, repositories, traits.told, assigned, behaviour()]),
      stated: findStated({
        ...{ name: row.name, email: address, rawEmail: rawAddress, account: traits.account },
      }),
    };
  }
}

function* listAccounts({ rules, forges }: IdentityContext, findStated: Stated): Generator<Node> {
  const { identities } = createPersonas(forges, [], rules);
  const byAccount = Map.groupBy(identities, ({ persona }) => persona);
  for (const [key, account] of forges.accounts) {
    const own = byAccount.get(account) ?? [];
    yield {
      ...{
        row: undefined,
        account: key,
        assigned: [],
        repositories: [],
        describe: () => JSON.stringify(account),
      },
      links: own.flatMap((identity) => [...listLinks(identity)]),
      stated: own.flatMap((identity) => [...findStated(identity)]),
    };
  }
}

function groupStatements(statements: readonly Statement[]) {
  const groups = findChains(statements);
  const lines = groups.flatMap((members, group) =>
    members.flatMap((at) => {
      const { a, b } = statements[at] as Statement;
      return [a, b].map((mark) => ({ mark, group }));
    }),
  );
  const match = createLineMatcher(lines);
  const texts = groups.map((members) => JSON.stringify(members.map((at) => statements[at])));
  return {
    /** Finds the indexes of the groups of statements that name an author. */
    find: (author: NamedAuthor): readonly number[] =>
      statements.length === 0 ? [] : [...new Set(match(author).map(({ group }) => group))],
    describe: (group: number): string => texts[group] ?? "",
  };
}

/** @returns a function that returns an author's stored traits if they are up to date, and otherwise finds them. */
function createTraitsFinder({ rules, forges }: IdentityContext) {
  const hosts = [...listNoreplyHosts(rules.forges?.content())];
  const edition = digestTexts([JSON.stringify([rulesEdition, hosts])]);
  const apart = listApart(rules);
  const findIdentity = createIdentityFinder(rules);
  return (author: AuthorRow): AuthorTraits => {
    const { address, rawAddress, traits } = author;
    const isApart = apart.has(`${address}\0${rawAddress}`);
    if (traits?.rules === edition && !isApart) {
      const { account } = traits;
      const found = { account, email: address, rawEmail: rawAddress, told: undefined };
      assignAccount(found, forges);
      if (Bun.deepEquals(found.told, traits.told)) return traits;
    }
    const identity = findIdentity(author, author.repositories[0] ?? "");
    assignAccount(identity, forges);
    const { name, email, rawEmail, account, told } = identity;
    return {
      ...{ rules: isApart ? "" : edition, account, told, links: listLinks(identity) },
      isSuspect: findBotClue({ name, emails: [email, rawEmail] }) !== undefined,
    };
  };
}

import { countCommits } from "../../src/ingest/git/count-commits.ts";
import { findRepositories } from "../../src/ingest/git/find-repositories.ts";
import { openGit } from "../../src/ingest/git/git-command.ts";
import { identifyPeople } from "../../src/ingest/git/identify-people.ts";
import type { Person } from "../../src/ingest/git/identity/author-identity.ts";
import { createIdentityRules, noFiles } from "../../src/ingest/git/identity/rules.ts";
import { openLedger } from "../../src/ingest/git/ledger/sqlite-ledger.ts";
import { readRepositories } from "../../src/ingest/git/read-repositories.ts";
import { type MappedSpelling, readMailmap, withoutMailmap } from "./git/mailmap.ts";
import { type Truth, type TruthRow, UnreadableTruth } from "./truth-report.ts";

const bar = 0.99;

/**
 * Holds the merging of authors against what each repository's own mailmap says, which the pipeline does not
 * get to see: it reads the same history without it. Spellings are (name, e-mail) pairs of commits.
 *
 * A mailmap is no list of everybody. So it judges only pairs of which it speaks twice: both spellings are
 * changed by it, or have an address that it gives to somebody. Two that it gives the same name and address
 * are one person; two that it leaves with another name *and* another address are two. Where only the name
 * or only the address differs it has no opinion: it leaves odd names beside an address that it knows, and
 * gives one person two proper addresses. `aliases.precision` is the share of judged pairs that are one
 * among those that were merged, `aliases.recall` the share that was merged among those that are one.
 *
 * @param paths clones, bare mirrors, or folders that hold some.
 */
export async function truthOfAliases(paths: readonly string[]): Promise<Truth> {
  const total = new Pairs();
  const parts: { name: string; rows: readonly TruthRow[] }[] = [];
  const misses: string[] = [];
  const skipped: string[] = [];
  for (const path of repositoriesAt(paths)) {
    const spellings = readMailmap(path);
    if (!spellings) {
      skipped.push(`${path}: its newest tree has no .mailmap`);
      continue;
    }
    const found = await compare(path, spellings);
    total.add(found);
    parts.push({ name: path, rows: found.rows() });
    misses.push(...found.misses.map((miss) => `${path}: ${miss}`));
  }
  if (parts.length === 0) throw new UnreadableTruth(skipped.join("\n") || "no repository");
  const { right, wrong, missed, suggested, suggestedWrongly, spellings } = total;
  return {
    rows: total.rows(),
    parts,
    counts:
      `${parts.length} repositories, ${spellings} spellings of which a mailmap speaks, ` +
      `${right + wrong} judged pairs merged, ${wrong} of them wrongly, ${missed} not merged, ` +
      `${suggested} of those suggested; ${suggestedWrongly} suggested that are two`,
    misses,
    skipped,
  };
}

class Pairs {
  spellings = 0;
  right = 0;
  wrong = 0;
  missed = 0;
  /** Of those that were missed, and of pairs that are two: nothing was done about either. */
  suggested = 0;
  suggestedWrongly = 0;
  readonly misses: string[] = [];

  add({ spellings, right, wrong, missed, suggested, suggestedWrongly }: Pairs): void {
    this.spellings += spellings;
    this.right += right;
    this.wrong += wrong;
    this.missed += missed;
    this.suggested += suggested;
    this.suggestedWrongly += suggestedWrongly;
  }

  /** Where nothing was merged, nothing was merged wrongly. */
  rows(): readonly TruthRow[] {
    const { right, wrong, missed } = this;
    const precision = right + wrong === 0 ? 1 : right / (right + wrong);
    const recall = right + missed === 0 ? 1 : right / (right + missed);
    return [
      { name: "aliases.precision", value: precision, bar, met: precision >= bar },
      // No bar is set for it: what a mailmap's author knew of people is in no history.
      { name: "aliases.recall", value: recall, bar: 0, met: true },
    ];
  }
}

async function compare(path: string, spellings: readonly MappedSpelling[]): Promise<Pairs> {
  const { personOf, isSuggested } = await mergeUnmapped(path);
  const listed = spellings.filter(({ isListed }) => isListed);
  const pairs = new Pairs();
  pairs.spellings = listed.length;
  for (const [at, one] of listed.entries()) {
    for (const other of listed.slice(0, at)) {
      const isSameName = one.properName === other.properName;
      const isSameAddress = one.properEmail === other.properEmail;
      if (isSameName !== isSameAddress) continue;
      const isMerged = personOf(one) === personOf(other);
      if (isMerged && isSameName) pairs.right += 1;
      else if (isMerged) pairs.wrong += 1;
      else if (isSameName) pairs.missed += 1;
      if (!isMerged && isSuggested(personOf(one), personOf(other))) {
        if (isSameName) pairs.suggested += 1;
        else pairs.suggestedWrongly += 1;
      }
      if (isMerged === isSameName) continue;
      const verdict = isMerged ? "merged, and the mailmap has two" : "not merged";
      pairs.misses.push(`${verdict}: ${inWords(one)} | ${inWords(other)}`);
    }
  }
  return pairs;
}

function inWords({ name, email }: MappedSpelling): string {
  return `${name} <${email}>`;
}

/** Packages and path classes play no part in who is who. */
const noVocabulary = { packageSkill: () => undefined, pathClasses: () => [], textSkills: () => [] };

interface Merged {
  readonly personOf: (spelling: MappedSpelling) => Person;
  readonly isSuggested: (a: Person, b: Person) => boolean;
}

async function mergeUnmapped(path: string): Promise<Merged> {
  const ledger = openLedger(":memory:", { version: "", now: () => new Date(0) });
  try {
    return await withoutMailmap(path, async (directory) => {
      const git = openGit();
      const options = { vocabulary: noVocabulary, ledger };
      const { refused } = await readRepositories(git, findRepositories([directory]), options);
      if (refused[0]) throw new UnreadableTruth(`${path}: ${refused[0].reason}`);
      const asOf = new Date().toISOString().slice(0, 10);
      const rules = createIdentityRules(noFiles, []);
      const community = identifyPeople(countCommits(ledger, asOf, rules), rules);
      const people = new Map<string, Person>();
      for (const { person } of community.everybody) {
        for (const { name, email, rawEmail } of person.identities) {
          if (email !== rawEmail) throw new Error(`${path}: a mailmap was not hidden.`);
          people.set(`${name}\0${rawEmail}`, person);
        }
      }
      const partners = new Map<Person, Set<Person>>();
      for (const { people: both } of community.suggestions()) {
        for (const one of both) {
          partners.set(one, new Set([...(partners.get(one) ?? []), ...both]));
        }
      }
      return {
        personOf: ({ name, email }) => {
          const person = people.get(`${name}\0${email}`);
          if (!person) throw new Error(`${path}: nobody is ${name} <${email}>.`);
          return person;
        },
        isSuggested: (a, b) => partners.get(a)?.has(b) === true,
      };
    });
  } finally {
    ledger.close();
  }
}

function repositoriesAt(paths: readonly string[]): readonly string[] {
  return findRepositories(paths).map((place) => {
    if ("reason" in place) throw new UnreadableTruth(`${place.path}: ${place.reason}`);
    if (place.kind === "bundle") {
      throw new UnreadableTruth(`${place.path} is a bundle; clone it to read its mailmap.`);
    }
    return place.directory;
  });
}

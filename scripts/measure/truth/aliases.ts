import { createHash } from "node:crypto";
import type { AuthorIdentity, Person } from "../../../src/ingest/git/identify/author-identity.ts";
import { type MappedSpelling, readMailmap } from "../git/mailmap.ts";
import { nameRepository, readAuthors } from "../git/read-authors.ts";
import { identifyDigests } from "../ingested-community.ts";
import { JudgedPairs } from "../judged-pairs.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";

export const measurement = defineMeasurement({
  about: "Who is who, against the mailmaps of the repositories.",
  takes: "PATH...",
  options: { seen: false, unseen: false, together: false },
  run: ({ paths, seen, unseen, together }) =>
    truthOfAliases(paths, {
      half: seen ? "seen" : unseen ? "unseen" : undefined,
      isTogether: together,
    }),
});

/**
 * Compares the merging of authors with each repository's own mailmap, which the pipeline does not see. A spelling is a
 * (name, e-mail) pair in commits.
 *
 * A mailmap does not list everyone. So a pair of spellings is judged only if the mailmap mentions both: it changes them,
 * or it maps their address. Two spellings that it gives the same name and address are one person; two that it leaves with
 * different names *and* addresses are two people. Where only one of the two differs, it is no evidence: mailmaps leave
 * odd names beside a known address, and give one person two proper addresses.
 *
 * Pairs of different addresses are counted, each pair of addresses once. Pairs that share an address are easy, and are
 * counted separately. Precision is the share of merged pairs that are one person, and recall the share of pairs of one
 * person that were merged. The repositories are split into two halves by name: rules are made on the seen half, and the
 * unseen half is measured afterwards.
 * @param paths clones, bare mirrors, or folders that contain some.
 * @param options.half use only this half.
 * @param options.isTogether treat all repositories as one pool.
 */
export async function truthOfAliases(
  paths: readonly string[],
  options: { readonly half?: string | undefined; readonly isTogether?: boolean } = {},
): Promise<Findings> {
  const skipped: string[] = [];
  const chosen = repositoriesAt(paths).flatMap((path) => {
    const half = halfOf(nameRepository(path));
    if (options.half !== undefined && options.half !== half) return [];
    const spellings = readMailmap(path);
    if (!spellings) skipped.push(`${path}: its newest tree has no .mailmap`);
    return spellings ? [{ path, half, spellings }] : [];
  });
  if (chosen.length === 0) throw new UnusableInput(skipped.join("\n") || "no repository");
  const whole = options.isTogether ? merge(chosen.map(({ path }) => path)) : undefined;
  const total = new JudgedPairs();
  const halves = new Map<string, JudgedPairs>();
  const parts = chosen.map(({ path, half, spellings }) => {
    const found = judge(spellings, whole ?? merge([path]));
    total.add(found);
    halves.set(half, (halves.get(half) ?? new JudgedPairs()).add(found));
    return { name: `${path} (${half})`, found };
  });
  return {
    rows: [
      ...total.rows("aliases"),
      ...[...halves].sort().flatMap(([half, found]) => found.rows(`aliases.${half}`)),
    ],
    parts: parts.map(({ name, found }) => ({ name, rows: found.rows("aliases") })),
    counts:
      `${parts.length} repositories: ${total.counts()}` +
      [...halves]
        .sort()
        .map(([half, found]) => `\n${half}: ${found.counts()}`)
        .join(""),
    misses: parts.flatMap(({ name, found }) => found.misses.map((miss) => `${name}: ${miss}`)),
    skipped,
  };
}

/** @returns the half that a repository belongs to, by a hash of its folder's name. */
function halfOf(name: string): "seen" | "unseen" {
  return (createHash("sha256").update(name).digest()[0] ?? 0) % 2 === 0 ? "seen" : "unseen";
}

interface Merged {
  readonly personOf: (spelling: MappedSpelling) => Person | undefined;
  readonly isSuggested: (a: Person, b: Person) => boolean;
}

/** Reads authors without their mailmaps, and merges them as the pipeline does. */
function merge(paths: readonly string[]): Merged {
  const community = identifyDigests(paths.map((path) => readAuthors(path, "hidden")));
  const found = new Map<string, AuthorIdentity[]>();
  for (const { person } of community.everybody) {
    for (const identity of person.identities) {
      const key = `${identity.name}\0${identity.rawEmail}`;
      found.set(key, [...(found.get(key) ?? []), identity]);
    }
  }
  const partners = new Map<Person, Set<Person>>();
  for (const { people: both } of community.suggestions()) {
    for (const one of both) partners.set(one, new Set([...(partners.get(one) ?? []), ...both]));
  }
  return {
    personOf: ({ name, email }) => {
      const [identity] = found.get(`${name}\0${email}`) ?? [];
      return identity && community.personOf(identity);
    },
    isSuggested: (a, b) => partners.get(a)?.has(b) === true,
  };
}

function judge(
  spellings: readonly MappedSpelling[],
  { personOf, isSuggested }: Merged,
): JudgedPairs {
  const known = spellings
    .filter(({ isListed }) => isListed)
    .flatMap((spelling) => {
      const person = personOf(spelling);
      return person ? [{ spelling, person }] : [];
    });
  const pairs = new JudgedPairs();
  for (const [at, one] of known.entries()) {
    for (const other of known.slice(0, at)) {
      const isSameName = one.spelling.properName === other.spelling.properName;
      const isSameAddress = one.spelling.properEmail === other.spelling.properEmail;
      if (isSameName !== isSameAddress) continue;
      pairs.take({
        a: one.spelling,
        b: other.spelling,
        isOne: isSameName,
        isMerged: one.person === other.person,
        isSuggested: isSuggested(one.person, other.person),
      });
    }
  }
  return pairs;
}

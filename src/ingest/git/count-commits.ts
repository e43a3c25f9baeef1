/** Counts everybody in all repositories that are known, anew: figures of one depend on the others. */
import { parseDayNumber } from "./commits/count.ts";
import { digestRepository, type RepositoryDigest } from "./commits/digest-repository.ts";
import { Fingerprints } from "./commits/fingerprints.ts";
import { perDayMax } from "./commits/tally.ts";
import { buildCommunity, type Community } from "./identify-people.ts";
import { createAuthorIdentities } from "./identity/author-identities.ts";
import type { AuthorIdentity, Person } from "./identity/people.ts";
import type { IdentityRules } from "./identity/rules.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import { groupClones } from "./ledger/recognise.ts";

export interface RepositorySummary {
  readonly path: string;
  /** owner/name, or the folder's name. */
  readonly name: string;
  /** All reachable from HEAD. */
  readonly commits: number;
  readonly merges: number;
  /** Non-merge commits by class of author, before any deduplication. */
  readonly human: number;
  readonly bot: number;
  readonly assistant: number;
  /** Commits that count, and those that do not, by reason: together all of them. */
  readonly counted: number;
  readonly excluded: Readonly<Record<string, number>>;
  /** Distinct (name, e-mail) pairs of non-merge commits after the mailmap: lines of the authors report. */
  readonly authors: number;
  /** Human authors after identity merging. */
  readonly people: number;
}

export interface PeopleCount {
  readonly community: Community;
  /** By place; several places of one repository share theirs. */
  readonly digests: ReadonlyMap<number, RepositoryDigest>;
}

/**
 * @param asOf commits dated later are flagged and not counted.
 * @param rules what people have said about who is who.
 */
export function countPeople(ledger: Ledger, asOf: string, rules: IdentityRules): PeopleCount {
  const counting = {
    asOfDay: parseDayNumber(asOf),
    identities: createAuthorIdentities(rules),
    seen: new Fingerprints(),
    contents: new Fingerprints(),
  };
  const digests = new Map<number, RepositoryDigest>();
  for (const group of groupClones(ledger.places())) {
    const [origin] = group;
    if (!origin) continue;
    const digest = digestRepository(counting, origin, historiesOf(ledger, group));
    for (const { id } of group) digests.set(id, digest);
  }
  return { community: buildCommunity([...new Set(digests.values())], rules), digests };
}

function* historiesOf(ledger: Ledger, group: readonly KnownClone[]) {
  for (const { id } of group) yield { sense: ledger.sense(id), segments: ledger.segments(id) };
}

export function summariseRepository(
  digest: RepositoryDigest,
  community: Community,
): RepositorySummary {
  const count = { human: 0, bot: 0, assistant: 0 };
  const { elsewhere, forgotten } = digest;
  const capped = cappedIn(digest, community);
  const excluded = new Map(
    Object.entries({ capped, elsewhere, forgotten }).filter(([, commits]) => commits > 0),
  );
  let counted = digest.shared.length - capped;
  for (const [identity, tally] of digest.tallies) {
    count[community.personOf(identity).classified.class] += tally.commits;
    counted += tally.days.length;
    for (const [reason, commits] of tally.excluded) {
      excluded.set(reason, (excluded.get(reason) ?? 0) + commits);
    }
  }
  return {
    path: digest.path,
    name: digest.name,
    commits: digest.commits,
    merges: digest.merges,
    ...count,
    counted,
    excluded: Object.fromEntries([...excluded].sort(([a], [b]) => (a < b ? -1 : 1))),
    authors: digest.authors.size,
    people: community.humanAuthors(digest),
  };
}

/** Commits beyond what counts of one author and day; a shared one is its author's here. */
function cappedIn(digest: RepositoryDigest, community: Community): number {
  const ofDay = new Map<Person, Map<number, number>>();
  let capped = 0;
  const add = (identity: AuthorIdentity, day: number): void => {
    const person = community.personOf(identity);
    const days = ofDay.get(person) ?? new Map<number, number>();
    const before = days.get(day) ?? 0;
    if (before >= perDayMax) capped += 1;
    ofDay.set(person, days.set(day, before + 1));
  };
  for (const [identity, { days }] of digest.tallies) for (const day of days) add(identity, day);
  for (const { author, day } of digest.shared) add(author, day);
  return capped;
}

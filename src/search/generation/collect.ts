import { GrowableArray } from "../../contract/growable-array.ts";
import { limits } from "../../contract/limits.ts";
import type { RankingFeatures } from "../../contract/people/assessment.ts";
import { computeOverallScore } from "../../contract/people/developer.ts";
import { roleMatchMin } from "../../contract/people/profile-analysis.ts";
import { everywhere } from "../../places/places.ts";
import type { RankedRow } from "../../pool/pool.ts";
import type { PostingsKey, PostingsKeyKind } from "./generation.ts";
import { formatRepositoryId } from "./repositories.ts";

/**
 * The result of one pass over the pool: flat arrays in order of arrival, and each list's key once.
 *
 * @package
 */
export interface CollectedFeatures {
  readonly developers: number;
  readonly rowIds: Uint32Array;
  /** Lower-cased. */
  readonly logins: readonly string[];
  readonly profile: Uint8Array;
  readonly activity: Uint8Array;
  readonly techStack: Uint8Array;
  readonly experience: Uint16Array;
  /** The score in tenths without a tech stack. */
  readonly bases: Uint16Array;
  /** Where each developer's entries start, and where the last one's end. */
  readonly entryStarts: Uint32Array;
  /** List numbers, in order of first sight. */
  readonly entries: Uint32Array;
  readonly entryStrengths: Uint8Array;
  readonly keys: readonly PostingsKey[];
  readonly counts: Uint32Array;
}

/**
 * Streams the ranking features once, and keeps only numbers and the login of each developer.
 *
 * @package
 */
export async function collectFeatures(
  rankingFeatures: AsyncIterable<readonly RankedRow[]>,
  ancestors: (placeId: string) => readonly string[],
): Promise<CollectedFeatures> {
  const lists = new ListCollector();
  const columns = new ColumnCollector();
  const [place, role, concept] = [lists.of("place"), lists.of("role"), lists.of("concept")];
  const [word, years, hireable] = [lists.of("word"), lists.of("years"), lists.of("hireable")];
  const repository = lists.of("repository");
  const placeLists = memo((id) => [id, ...ancestors(id)].map(place));
  const take = ({ rowId, standing }: RankedRow) => {
    columns.add(rowId, standing);
    lists.put(place(everywhere), 0);
    for (const id of standing.places) for (const list of placeLists(id)) lists.put(list, 0);
    for (const { role: id, match, techStack } of standing.roles) {
      if (match >= roleMatchMin) lists.put(role(id), techStack);
    }
    for (const { concept: id, strength } of standing.concepts) lists.put(concept(id), strength);
    for (const text of standing.words) lists.put(word(text), 0);
    for (const named of standing.repositories) {
      const id = formatRepositoryId(named);
      if (id !== undefined) lists.put(repository(id), 0);
    }
    const wholeYears = Math.floor(standing.experienceTenths / 10);
    for (let year = 1; year <= Math.min(wholeYears, limits.experienceYearsMax); year++) {
      lists.put(years(String(year)), 0);
    }
    if (standing.hireable) lists.put(hireable("yes"), 0);
    lists.endDeveloper();
  };
  for await (const batch of rankingFeatures) for (const row of batch) take(row);
  return { ...columns.collected(), ...lists.collected() };
}

class ColumnCollector {
  private readonly logins: string[] = [];
  private readonly rowIds = new GrowableArray(Uint32Array);
  private readonly profile = new GrowableArray(Uint8Array);
  private readonly activity = new GrowableArray(Uint8Array);
  private readonly techStack = new GrowableArray(Uint8Array);
  private readonly experience = new GrowableArray(Uint16Array);

  add(rowId: number, standing: RankingFeatures): void {
    if (rowId > 0xffffffff) throw new Error(`Row id ${rowId} does not fit the index's 32 bits.`);
    this.logins.push(standing.login.toLowerCase());
    this.rowIds.push(rowId);
    this.profile.push(standing.profile);
    this.activity.push(standing.activity);
    this.techStack.push(standing.techStack);
    this.experience.push(Math.min(standing.experienceTenths, 0xffff));
  }

  collected() {
    const profile = this.profile.whole();
    const activity = this.activity.whole();
    const techStack = this.techStack.whole();
    return {
      developers: this.logins.length,
      rowIds: this.rowIds.whole(),
      logins: this.logins,
      profile,
      activity,
      techStack,
      experience: this.experience.whole(),
      bases: Uint16Array.from(profile, (share, at) =>
        Math.round(10 * computeOverallScore(share, 0, activity[at] as number)),
      ),
    };
  }
}

class ListCollector {
  private readonly keys: PostingsKey[] = [];
  private readonly counts = new GrowableArray(Uint32Array);
  /** By list: the last developer put into it, so that no developer is counted twice. */
  private readonly lastDeveloper = new GrowableArray(Uint32Array);
  private readonly starts = new GrowableArray(Uint32Array);
  private readonly entries = new GrowableArray(Uint32Array);
  private readonly strengths = new GrowableArray(Uint8Array);
  private developer = 1;

  constructor() {
    this.starts.push(0);
  }

  /** Returns a function that gives each id of the kind its list; keys are built only at first sight of an id. */
  of(kind: PostingsKeyKind): (id: string) => number {
    return memo((id) => {
      this.counts.push(0);
      this.lastDeveloper.push(0);
      return this.keys.push(`${kind}:${id}`) - 1;
    });
  }

  put(list: number, strength: number): void {
    if (this.lastDeveloper.items[list] === this.developer) return;
    this.lastDeveloper.items[list] = this.developer;
    this.counts.items[list] = (this.counts.items[list] as number) + 1;
    this.entries.push(list);
    this.strengths.push(strength);
  }

  endDeveloper(): void {
    this.developer++;
    this.starts.push(this.entries.length);
  }

  collected() {
    return {
      entryStarts: this.starts.whole(),
      entries: this.entries.whole(),
      entryStrengths: this.strengths.whole(),
      keys: this.keys,
      counts: this.counts.whole(),
    };
  }
}

function memo<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      known.set(key, value);
    }
    return value;
  };
}

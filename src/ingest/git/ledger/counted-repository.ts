/** What is stored of a repository that was counted, beside the rows of its authors. */
import type { Connection } from "../../../sqlite/connection.ts";
import { fingerprintText } from "../commit/fingerprints.ts";
import type { RepositoryDigest } from "../commits/repository-digest.ts";
import type { Tally } from "../commits/tally.ts";
import { hashLinkKey } from "../identity/links.ts";
import type { MissingObjects } from "../repository/missing-objects.ts";

/** A repository: its places are clones of each other. */
export interface CountedRepository {
  /** The least id of its places. */
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  readonly language: string | undefined;
  readonly ownership: RepositoryDigest["ownership"];
  readonly commits: number;
  readonly merges: number;
  readonly lastDay: RepositoryDigest["lastDay"];
  readonly incomplete: number;
  readonly missing: MissingObjects | undefined;
  readonly elsewhere: number;
  readonly forgotten: number;
  /** Commits of known authors that do not count, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
}

/** @package The stored text of a repository, which ends with a check of the rest: flipped bits may leave other JSON. */
export function toDigestText(repository: Omit<CountedRepository, "id">): string {
  const { check: _, ...rest } = repository as typeof repository & { check?: string };
  const check = fingerprintText(JSON.stringify(rest)).toString(36);
  return JSON.stringify({ ...rest, check });
}

/** @package @throws Error when it is not JSON. */
export function isDigestIntact(stored: string): boolean {
  const repository = JSON.parse(stored);
  // Before there was a check.
  return !("check" in repository) || toDigestText(repository) === stored;
}

/** @package */
export function sumExcluded(tallies: Iterable<Tally>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { excluded } of tallies) {
    for (const [reason, commits] of excluded) sums[reason] = (sums[reason] ?? 0) + commits;
  }
  return sums;
}

/** @package What is kept of a line of the authors report. */
export function hashLine(line: string): bigint {
  return fingerprintText(line);
}

/** @package */
export function writeOwnerKeys(
  sqlite: Connection,
  repository: number,
  { ownership, forge }: Pick<RepositoryDigest, "ownership" | "forge">,
): void {
  sqlite.execute`DELETE FROM owner_key WHERE repository_id = ${repository}`;
  const insert = sqlite.query("INSERT OR IGNORE INTO owner_key (key, repository_id) VALUES (?, ?)");
  for (const key of listOwnerKeys(ownership, forge)) insert.run(hashLinkKey(key), repository);
}

/** Whom the ownership files of a repository name, as people are looked up. */
function listOwnerKeys(
  ownership: RepositoryDigest["ownership"],
  forge: string | undefined,
): ReadonlySet<string> {
  const owners = ownership.flatMap((stated) => stated?.rules ?? []).flatMap(({ owners }) => owners);
  const keys = owners.flatMap((owner) => {
    if ("email" in owner) return [owner.email];
    return "login" in owner ? [`${forge}/${owner.login}`, `@${owner.login}`] : [];
  });
  return new Set(keys.map((key) => key.toLowerCase()));
}

/** @package What is capped of a person in a repository is counted again once one of the rows there is gone. */
export function forgetCapped(sqlite: Connection, repository: number, spelling: number): void {
  sqlite.execute`
    UPDATE work SET capped = NULL WHERE repository_id = ${repository} AND spelling_id IN (
      SELECT other.id FROM spelling AS one JOIN spelling AS other USING (person_id)
      WHERE one.id = ${spelling})`;
}

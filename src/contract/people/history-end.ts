/** Finds repositories whose history ended too long ago to say who is active (decision 45). */

/** The greatest age of a history's newest commit, in days. If the commit is older, the history has ended. */
export const historyAgeMax = 90;

/** A repository whose history ended long ago. */
export interface StaleRepository {
  readonly name: string;
  /** Day of its newest commit, YYYY-MM-DD. */
  readonly lastCommit: string;
}

/** The reason why the last run did not read a known repository. The history that was read before still counts. */
export interface Unread {
  /** `gone` means that the path has no repository. `left_out` means that the repository cannot be read. */
  readonly state: "left_out" | "gone";
  readonly reason: string;
  readonly remedy: string;
  /** Time of the first run that could not read the repository, ISO 8601, UTC. */
  readonly since: string;
}

/** A repository, and the reason if it was not read. */
export interface ReadRepository {
  readonly path: string;
  readonly leftOut: Unread | undefined;
}

/** @returns the state in words, such as `left out since 2026-11-20` or `read`. */
export function formatReading(leftOut: Unread | undefined): string {
  return leftOut
    ? `${leftOut.state.replace("_", " ")} since ${leftOut.since.slice(0, 10)}`
    : "read";
}

/** Names up to ten of the repositories that were not read. @returns undefined if all were read. */
export function describeUnread(repositories: readonly ReadRepository[]): string | undefined {
  const unread = repositories.flatMap(({ path, leftOut }) =>
    leftOut ? [`${path} (${formatReading(leftOut)}: ${leftOut.reason.replace(/\.$/, "")})`] : [],
  );
  const share = `${unread.length} of ${repositories.length} repositories`;
  return unread.length === 0 ? undefined : `${share} could not be read: ${nameSome(unread)}`;
}

/**
 * @param repositories `lastDay` is the day of the newest commit, in UTC days since 1970.
 * @returns the repositories whose history ended long ago, newest first.
 */
export function listStale(
  repositories: readonly { readonly name: string; readonly lastDay: number }[],
  asOf: string,
): readonly StaleRepository[] {
  return repositories
    .map(({ name, lastDay }) => ({ name, lastCommit: formatUtcDay(lastDay) }))
    .filter(({ lastCommit }) => isStale(lastCommit, asOf))
    .sort((a, b) => b.lastCommit.localeCompare(a.lastCommit) || (a.name < b.name ? -1 : 1));
}

/** @param day in UTC days since 1970. */
export function formatUtcDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

const namedMax = 10;

function nameSome(texts: readonly string[]): string {
  const more = texts.length > namedMax ? ` and ${texts.length - namedMax} more` : "";
  return `${texts.slice(0, namedMax).join(", ")}${more}`;
}

/** Lists repositories as `acme/tool 2024-10-24, acme/site 2023-01-02 and 3 more`. */
export function formatStale(stale: readonly StaleRepository[]): string {
  return nameSome(stale.map(({ name, lastCommit }) => `${name} ${lastCommit}`));
}

/** @param day the day of the newest commit, YYYY-MM-DD. */
export function isStale(day: string, asOf: string): boolean {
  return (Date.parse(asOf) - Date.parse(day)) / 86_400_000 > historyAgeMax;
}

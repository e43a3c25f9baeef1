/**
 * Objects that a repository lacks: a partial or shallow clone left them out, or they were lost. Nothing is ever fetched, so
 * only the figures that need these objects are left out.
 */
import { isFault } from "../../../contract/fault.ts";
import { composeInput, type Git } from "../git-command.ts";

/** The objects that a history was read without; the ledger stores this. */
export interface MissingObjects {
  /** Some ids of missing objects, sorted: once one of them is there, the repository is worth reading again. */
  readonly some: readonly string[];
  /** Number of commits without their parents; the history before them is unknown. */
  readonly cuts: number;
  /** Whether the mailmap is missing, so that no author was mapped. */
  readonly lacksMailmap: boolean;
  readonly cause: "shallow" | "partial" | "damaged";
}

/** Whether objects that were missing are there now. */
export async function hasArrived(
  git: Git,
  directory: string,
  missing: MissingObjects | undefined,
): Promise<boolean> {
  const some = missing?.some ?? [];
  return (await findMissing(git, directory, some)).size < some.length;
}

/** Whether git failed because it could not read an object. */
export function isUnreadable(error: unknown): boolean {
  return isFault(error, "git") && isOfObject.test(String(error.cause));
}

/** @returns the objects that git failed to read, as far as it named them. */
export function findUnreadable(error: unknown): readonly string[] {
  if (!isUnreadable(error)) return [];
  return String((error as Error).cause)
    .split("\n")
    .filter((line) => isOfObject.test(line))
    .flatMap((line) => line.match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? []);
}

/** Git's messages, in the versions from 2.32 to 2.51, on objects that are missing or whose bytes are wrong. */
const isOfObject =
  /unable to (?:read|stream)|could not read|failed to traverse parents|is corrupt|bad (?:object|tree)|not a tree|unable to unpack|hash mismatch|missing (?:object|tree|blob)/i;

/** @returns those of the objects that git does not have; `sha^{tree}` and the like may stand for an object. */
export async function findMissing(
  git: Git,
  directory: string,
  objects: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const asked = [...new Set(objects)];
  const found = await resolveObjects(git, directory, asked);
  return new Set(asked.filter((_, at) => found[at] === undefined));
}

/**
 * Looks objects up without reading them.
 *
 * @param names without line ends.
 * @param format what `git cat-file --batch-check` tells of each.
 * @returns answers in the order of the names; undefined for what git does not have.
 */
export async function resolveObjects(
  git: Git,
  directory: string,
  names: readonly string[],
  format = "%(objectname)",
): Promise<readonly (string | undefined)[]> {
  if (names.length === 0) return [];
  const command = ["cat-file", `--batch-check=${format}`];
  const answer = await git.read(directory, command, composeInput(names));
  const lines = answer.toString("latin1").split("\n");
  return lines.map((line) => (/ (missing|ambiguous)$/.test(line) ? undefined : line));
}

/** Describes the missing objects and a remedy. */
export function describeMissing(
  { cuts, lacksMailmap, cause }: MissingObjects,
  { incomplete, commits }: { readonly incomplete: number; readonly commits: number },
): { readonly reason: string; readonly remedy: string } {
  const reasons = [
    incomplete > 0 &&
      `${incomplete} of ${commits} commits count without lines, languages and packages`,
    cuts > 0 && `what was before ${cuts} of them is not known`,
    lacksMailmap && "its mailmap is not there and maps nobody",
  ];
  const what = reasons.filter(Boolean).join(", ") || "not all of its newest files were read";
  const [why, remedy] = causes[cause];
  return { reason: `${what}: ${why}.`, remedy };
}

const causes: Record<MissingObjects["cause"], readonly [reason: string, remedy: string]> = {
  shallow: ["it is a shallow clone", "`git fetch --unshallow` in it brings the rest."],
  partial: [
    "it is a partial clone, and nothing is fetched here",
    "Clone it again without --filter.",
  ],
  damaged: [
    "objects are missing or damaged",
    "Clone it again, or copy the missing objects from another clone.",
  ],
};

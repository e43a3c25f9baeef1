import { isFault } from "../../../contract/fault.ts";
import type { Git } from "../git-command.ts";

/** @returns the name of an object, or undefined when there is none. */
export async function findObject(
  git: Git,
  directory: string,
  revision: string,
): Promise<string | undefined> {
  try {
    const found = await git.read(directory, ["rev-parse", "--verify", "--quiet", revision]);
    return found.toString().trim();
  } catch (error) {
    // A question that git answers with a failure: no. Whatever else went wrong is not swallowed.
    if (isFault(error, "git")) return undefined;
    throw error;
  }
}

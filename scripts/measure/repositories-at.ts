import { findRepositories } from "../../src/ingest/git/repository/find-repositories.ts";
import { UnusableInput } from "./measurement.ts";

/** @returns the clones and bare mirrors at these paths, or in these folders. */
export function repositoriesAt(paths: readonly string[]): readonly string[] {
  return findRepositories(paths).map((place) => {
    if ("reason" in place) throw new UnusableInput(`${place.path}: ${place.reason}`);
    if (place.kind === "bundle") {
      throw new UnusableInput(`${place.path} is a bundle; clone it to compare it with git.`);
    }
    return place.directory;
  });
}

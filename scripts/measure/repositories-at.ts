import { findRepositories } from "../../src/ingest/git/find-repositories.ts";
import { UnreadableTruth } from "./truth-report.ts";

/** The clones and bare mirrors at these paths, or in these folders. */
export function repositoriesAt(paths: readonly string[]): readonly string[] {
  return findRepositories(paths).map((place) => {
    if ("reason" in place) throw new UnreadableTruth(`${place.path}: ${place.reason}`);
    if (place.kind === "bundle") {
      throw new UnreadableTruth(`${place.path} is a bundle; clone it to read its mailmap.`);
    }
    return place.directory;
  });
}

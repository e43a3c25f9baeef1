/**
 * Finds the packages that each commit added to manifests. An author who adds a package works with it; an edit of a
 * manifest alone (a release, a script, a newer version) is no evidence for the packages in it.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { LoggedCommit } from "../commits/logged-commit.ts";
import type { Git } from "../git-command.ts";
import { readBlobSizes, readBlobs, toFileText } from "../repository/objects.ts";
import { selectKnownPackages } from "./evidence-files.ts";
import { findManifest } from "./manifests.ts";

interface AddedPackages {
  look(commit: LoggedCommit): void;
  /** @returns added packages as `ecosystem:package`, by commit id; only commits that added some. */
  end(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Limit of one manifest; larger ones are generated. */
const bytesMax = 256 * 1024;

/** Collects versions of manifests while the log is read, and reads each version once at the end. */
export function createAddedPackages(
  git: Git,
  directory: string,
  vocabulary: Pick<Vocabulary, "packageSkill">,
): AddedPackages {
  const edits: { commit: string; before: string; after: string }[] = [];
  const versions = new Map<string, string>();
  return {
    look({ sha, parents, files, isIncomplete }) {
      // With the contents before it missing, all packages would look new.
      if (parents > 1 || isIncomplete) return;
      for (const { path, before, after, isRegular } of files) {
        if (!isRegular || !after || !findManifest(path)?.lists) continue;
        for (const version of [before, after]) if (version) versions.set(version, path);
        edits.push({ commit: sha, before, after });
      }
    },
    async end() {
      const known = selectKnownPackages(vocabulary);
      const named = new Map<string, readonly string[]>();
      const sizes = await readBlobSizes(git, directory, versions.keys());
      const files = [...versions]
        .map(([sha, path]) => ({ sha, path, bytes: sizes.get(sha) ?? 0 }))
        .filter(({ bytes }) => bytes <= bytesMax);
      await readBlobs(git, directory, { files, bytesMax }, ({ sha, path }, content) => {
        const parse = findManifest(path)?.parse;
        if (parse) named.set(sha, known(parse(toFileText(content))));
      });
      const added = new Map<string, string[]>();
      for (const { commit, before, after } of edits) {
        const old = new Set(named.get(before));
        const fresh = (named.get(after) ?? []).filter((name) => !old.has(name));
        if (fresh.length > 0) added.set(commit, [...(added.get(commit) ?? []), ...fresh]);
      }
      for (const [commit, names] of added) added.set(commit, [...new Set(names)].sort());
      return added;
    },
  };
}

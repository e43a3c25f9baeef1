/** Finds packages in the vocabulary, and gives each known package one name. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { PackageName } from "./package-names.ts";

export type PackageVocabulary = Pick<Vocabulary, "packageSkill">;

/** Finds the shortest name of a package that still means the same skill. @returns `ecosystem:package`. */
export function findKnownPackage(
  { ecosystem, spellings }: PackageName,
  vocabulary: PackageVocabulary,
): string | undefined {
  let name: string | undefined;
  let skill: string | undefined;
  for (const spelling of spellings) {
    const found = vocabulary.packageSkill(ecosystem, spelling)?.id;
    if (found === undefined || (skill !== undefined && found !== skill)) continue;
    // The shorter name `vendor/vendor` may not exist, so the longer name is kept.
    if (ecosystem === "composer" && name !== undefined) break;
    skill = found;
    name = `${ecosystem}:${spelling}`;
  }
  return name !== undefined && name.length <= nameMax ? name : undefined;
}

/** The contract's limit on a name, in characters. */
const nameMax = 214;

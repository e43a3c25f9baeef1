/** Recognizes packages in the vocabulary and gives each one name, so that evidence stays small and simple. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { PackageName } from "./package-names.ts";

export type PackageVocabulary = Pick<Vocabulary, "packageSkill">;

/** Finds the shortest name that means the same skill as the package's most specific known name. @returns `ecosystem:package`. */
export function findKnownPackage(
  { ecosystem, spellings }: PackageName,
  vocabulary: PackageVocabulary,
): string | undefined {
  let name: string | undefined;
  let skill: string | undefined;
  for (const spelling of spellings) {
    const found = vocabulary.packageSkill(ecosystem, spelling)?.id;
    if (found === undefined || (skill !== undefined && found !== skill)) continue;
    // A rule for all packages of a vendor also matches `vendor/vendor`, which need not exist.
    if (ecosystem === "composer" && name !== undefined) break;
    skill = found;
    name = `${ecosystem}:${spelling}`;
  }
  return name !== undefined && name.length <= nameMax ? name : undefined;
}

/** The contract's limit on the length of names in evidence. */
const nameMax = 214;
/** The most packages of one file. */
const namesMax = 500;

/** Lists the known packages of one file, each once, sorted. */
export function listKnownPackages(
  names: readonly PackageName[],
  vocabulary: PackageVocabulary,
): readonly string[] {
  const known = new Set(names.flatMap((name) => findKnownPackage(name, vocabulary) ?? []));
  return [...known].slice(0, namesMax).sort();
}

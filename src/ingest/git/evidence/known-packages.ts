/** Recognises the packages that the vocabulary knows, with one name each, so that evidence stays small and simple. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { PackageName } from "./package-names.ts";

export type PackageVocabulary = Pick<Vocabulary, "packageSkill">;

/** Finds the shortest spelling with the same skill as the most exact known one. @returns `ecosystem:package`. */
export function findKnownPackage(
  { ecosystem, spellings }: PackageName,
  vocabulary: PackageVocabulary,
): string | undefined {
  let name: string | undefined;
  let skill: string | undefined;
  for (const spelling of spellings) {
    const found = vocabulary.packageSkill(ecosystem, spelling)?.id;
    if (found === undefined || (skill !== undefined && found !== skill)) continue;
    // No rule for all packages of a vendor may make one up.
    if (ecosystem === "composer" && name !== undefined) break;
    skill = found;
    name = `${ecosystem}:${spelling}`;
  }
  return name !== undefined && name.length <= nameMax ? name : undefined;
}

/** The contract's limit on names of evidence. */
const nameMax = 214;
/** Limit on the packages of one file. */
const namesMax = 500;

/** Lists the known packages of one file, each once, sorted. */
export function listKnownPackages(
  names: readonly PackageName[],
  vocabulary: PackageVocabulary,
): readonly string[] {
  const known = new Set(names.flatMap((name) => findKnownPackage(name, vocabulary) ?? []));
  return [...known].slice(0, namesMax).sort();
}

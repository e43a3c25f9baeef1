/** Recognises the packages that the vocabulary knows, with one name each, so that evidence stays small and simple. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { PackageName } from "./package-names.ts";

export interface KnownPackages {
  /** `ecosystem:package`; undefined for a package that the vocabulary does not know. */
  nameOf(name: PackageName): string | undefined;
  /** The known packages of one file, each once, sorted; at most 500. */
  namesOf(names: Iterable<PackageName>): readonly string[];
  /** A development dependency is a skill only if it is a tool: a test runner, a linter, a bundler. */
  isEvidence(name: PackageName): boolean;
}

export function selectKnownPackages(vocabulary: Pick<Vocabulary, "packageSkill">): KnownPackages {
  const known = new Map<string, string | undefined>();
  const nameOf: KnownPackages["nameOf"] = ({ ecosystem, spellings }) => {
    const key = `${ecosystem}:${spellings.join(" ")}`;
    if (known.size >= knownMax) known.clear();
    return known.getOrInsertComputed(key, () => findName(vocabulary, ecosystem, spellings));
  };
  return {
    nameOf,
    namesOf(names) {
      const found = new Set<string>();
      for (const each of names) {
        const name = found.size < namesMax && nameOf(each);
        if (name) found.add(name);
      }
      return [...found].sort();
    },
    isEvidence: ({ ecosystem, spellings, isForDevelopment }) =>
      !isForDevelopment || vocabulary.packageSkill(ecosystem, spellings[0])?.type === "tool",
  };
}

/** Finds the shortest spelling with the same skill as the most exact known one. */
function findName(
  vocabulary: Pick<Vocabulary, "packageSkill">,
  ecosystem: string,
  spellings: readonly string[],
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

/** Bounds the memory: a history may name any number of packages. */
const knownMax = 50_000;
const namesMax = 500;
/** The contract's limit on names of evidence. */
const nameMax = 214;

/** Recognises the packages that the vocabulary knows, with one name each, so that evidence stays small and simple. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { PackageName } from "./manifest-text.ts";

interface KnownPackages {
  /** `ecosystem:package`; undefined for a package that the vocabulary does not know. */
  nameOf(name: PackageName): string | undefined;
  /** A development dependency is a skill only if it is a tool: a test runner, a linter, a bundler. */
  isEvidence(name: PackageName): boolean;
}

export function selectKnownPackages(vocabulary: Pick<Vocabulary, "packageSkill">): KnownPackages {
  const known = new Map<string, string | undefined>();
  return {
    nameOf({ ecosystem, spellings }) {
      const key = `${ecosystem}:${spellings.join(" ")}`;
      return known.getOrInsertComputed(key, () => findName(vocabulary, ecosystem, spellings));
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

/** The contract's limit on names of evidence. */
const nameMax = 214;

import list from "../../seed/vocabulary/packages.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";
import type { Skill } from "./skills.ts";

/** Finds the skill that a package of an ecosystem is evidence for. Most packages are no evidence, and give undefined. */
type PackageFinder = (ecosystem: string, name: string) => Skill | undefined;

/**
 * Creates the lookup of the package rules. A rule names a package, or a prefix if it ends with `*`. In Go, Maven, Gradle, NuGet,
 * Docker and Swift, names are paths, and a rule also covers everything below its path. The longest rule wins.
 */
export function createPackageFinder(rules: Iterable<readonly [string, Skill]>): PackageFinder {
  const exact = new Map<string, Skill>();
  const prefixes = new Map<string, PrefixRule[]>();
  for (const [ruleTexts, skill] of rules) {
    for (const rule of ruleTexts.split(" ")) {
      const colon = rule.indexOf(":");
      const ecosystem = rule.slice(0, colon);
      for (const name of rule.slice(colon + 1).split(",")) {
        if (!name.endsWith("*")) exact.set(`${ecosystem}:${plainName(ecosystem, name)}`, skill);
        else {
          const prefix = plainName(ecosystem, name.slice(0, -1));
          const key = `${sameRules.get(ecosystem) ?? ecosystem}:${prefix.charAt(0)}`;
          prefixes.getOrInsertComputed(key, () => []).push({ prefix, skill });
        }
      }
    }
  }
  for (const rules of prefixes.values()) rules.sort((a, b) => b.prefix.length - a.prefix.length);

  return (ecosystem, name) => {
    const rulesOf = sameRules.get(ecosystem) ?? ecosystem;
    for (const variant of variantsOf(rulesOf, plainName(rulesOf, name))) {
      const skill = exact.get(`${ecosystem}:${variant}`) ?? exact.get(`${rulesOf}:${variant}`);
      if (skill) return skill;
      const rules = prefixes.get(`${rulesOf}:${variant.charAt(0)}`);
      const rule = rules?.find(({ prefix }) => variant.startsWith(prefix));
      if (rule) return rule.skill;
    }
    return undefined;
  };
}

/**
 * Reads the package rules that have their own list.
 * @throws Error if a line names no skill.
 */
export function readFurtherPackages(byId: ReadonlyMap<string, Skill>): [rules: string, Skill][] {
  return readListLines(list).map((line) => {
    const [id = "", rules = ""] = line.split(" | ");
    const skill = byId.get(id);
    if (!skill) throw new Error(`the list of packages names ${id}, which is no skill`);
    return [rules, skill];
  });
}

interface PrefixRule {
  readonly prefix: string;
  readonly skill: Skill;
}

/** Ecosystems that also use the rules of another ecosystem: Gradle uses Maven's. */
const sameRules = new Map([["gradle", "maven"]]);

/** Normalizes a name as its registry does. */
function plainName(ecosystem: string, name: string): string {
  const plain = name.toLowerCase();
  if (ecosystem === "pypi") return plain.replace(/[-_.]+/g, "-");
  if (ecosystem === "cargo") return plain.replaceAll("_", "-");
  if (ecosystem === "docker" || ecosystem === "actions") return withoutVersion(plain);
  return plain;
}

/** Removes the version from `postgres:16@sha256:...` and `actions/checkout@v4`, but not the port from `localhost:5000/app`. */
function withoutVersion(name: string): string {
  const bare = name.replace(/@.*$/s, "");
  const tag = bare.indexOf(":", bare.lastIndexOf("/") + 1);
  return tag < 0 ? bare : bare.slice(0, tag);
}

/** Yields the names to try, the whole name first. The other names are parts of it, because a rule may name only a part. */
function* variantsOf(ecosystem: string, name: string): Generator<string> {
  yield name;
  const boundary = boundaries.get(ecosystem);
  if (boundary) {
    for (let at = name.length - 1; at > 0; at--) {
      if (boundary.includes(name.charAt(at))) yield name.slice(0, at);
    }
  }
  if (ecosystem === "npm") {
    yield name.split("/", name.startsWith("@") ? 2 : 1).join("/");
    if (name.startsWith("@types/")) yield name.slice(7).replace(/^(.+)__/, "@$1/");
  }
  if (ecosystem === "docker" || ecosystem === "swift") {
    yield name.slice(name.lastIndexOf("/") + 1).replace(/\.git$/, "");
  }
}

/** For each ecosystem, the characters at which a name may be cut. */
const boundaries = new Map([
  ["go", "/."],
  ["maven", ":.-"],
  ["nuget", "."],
  ["docker", "/"],
  ["swift", "/"],
  ["actions", "/"],
  ["pypi", "-"],
  ["cargo", ":"],
  ["terraform", "/_"],
]);

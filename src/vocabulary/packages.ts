import list from "../../seed/vocabulary/packages.txt" with { type: "text" };
import type { Skill } from "./skills.ts";

/** Finds the skill that a package of an ecosystem stands for; `undefined` for the great many that stand for none. */
type PackageFinder = (ecosystem: string, name: string) => Skill | undefined;

/**
 * Makes the look-up of the package rules. A rule names a package or, with a closing `*`, a beginning; in Go,
 * Maven, Gradle, NuGet, Docker and Swift names are paths, and a rule holds for everything below it. The longest rule wins.
 */
export function createPackageFinder(rules: Iterable<readonly [string, Skill]>): PackageFinder {
  const exact = new Map<string, Skill>();
  const beginnings = new Map<string, Beginning[]>();
  for (const [ruleTexts, skill] of rules) {
    for (const rule of ruleTexts.split(" ")) {
      const colon = rule.indexOf(":");
      const ecosystem = rule.slice(0, colon);
      for (const name of rule.slice(colon + 1).split(",")) {
        if (!name.endsWith("*")) exact.set(`${ecosystem}:${plainName(ecosystem, name)}`, skill);
        else file(beginnings, ecosystem, plainName(ecosystem, name.slice(0, -1)), skill);
      }
    }
  }
  for (const list of beginnings.values()) {
    list.sort((a, b) => b.beginning.length - a.beginning.length);
  }

  return (ecosystem, name) => {
    const rulesOf = sameRules.get(ecosystem) ?? ecosystem;
    for (const spelling of spellings(rulesOf, plainName(rulesOf, name))) {
      const found = exact.get(`${ecosystem}:${spelling}`) ?? exact.get(`${rulesOf}:${spelling}`);
      if (found) return found;
      const key = `${rulesOf}:${spelling.charAt(0)}`;
      const begun = beginnings.get(key)?.find(({ beginning }) => spelling.startsWith(beginning));
      if (begun) return begun.skill;
    }
    return undefined;
  };
}

/**
 * The package rules that stand in a list of their own, because they would drown the skills' other names.
 *
 * @throws Error when a line names no skill: the list is wrong.
 */
export function readFurtherPackages(byId: ReadonlyMap<string, Skill>): [rules: string, Skill][] {
  const lines = list.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [id = "", rules = ""] = line.split(" | ");
    const skill = byId.get(id);
    if (!skill) throw new Error(`the list of packages names ${id}, which is no skill`);
    return [rules, skill];
  });
}

interface Beginning {
  readonly beginning: string;
  readonly skill: Skill;
}

/** Gradle takes its dependencies from Maven's names and adds plug-ins of its own. */
const sameRules = new Map([["gradle", "maven"]]);

function file(
  beginnings: Map<string, Beginning[]>,
  ecosystem: string,
  beginning: string,
  skill: Skill,
): void {
  const key = `${sameRules.get(ecosystem) ?? ecosystem}:${beginning.charAt(0)}`;
  const list = beginnings.get(key) ?? [];
  list.push({ beginning, skill });
  beginnings.set(key, list);
}

/** The registry's own idea of when two names are one (PEP 503, Cargo's `-` and `_`, no case in most). */
function plainName(ecosystem: string, name: string): string {
  const plain = name.toLowerCase();
  if (ecosystem === "pypi") return plain.replace(/[-_.]+/g, "-");
  if (ecosystem === "cargo") return plain.replaceAll("_", "-");
  if (ecosystem === "docker" || ecosystem === "actions") return withoutVersion(plain);
  return plain;
}

/** `postgres:16@sha256:...` and `actions/checkout@v4`, but not the port of `localhost:5000/app`. */
function withoutVersion(name: string): string {
  const bare = name.replace(/@.*$/s, "");
  const tag = bare.indexOf(":", bare.lastIndexOf("/") + 1);
  return tag < 0 ? bare : bare.slice(0, tag);
}

/** The spellings to try, most exact first: what is imported is often a part of what is installed. */
function* spellings(ecosystem: string, name: string): Generator<string> {
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

/** Signs at which a name may be cut so that what is left is still a name. */
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

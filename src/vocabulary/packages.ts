import type { Skill } from "./skills.ts";

/**
 * Creates the lookup of the package rules. A rule names a package, or a prefix if it ends with `*`. A prefix does not end within a
 * word: `dbus*` covers `dbus-1` and not `dbusclient`. In Go, Maven, Gradle, NuGet, Docker and Swift, names are paths, and a rule
 * also covers everything below its path. The longest rule wins. Most packages are no evidence, and give undefined.
 */
export function createPackageFinder(rules: Iterable<readonly [string, Skill]>) {
  const skills = new Map<string, Skill>();
  for (const [ruleTexts, skill] of rules) {
    for (const rule of ruleTexts.split(" ")) {
      const colon = rule.indexOf(":");
      const ecosystem = rule.slice(0, colon);
      for (const name of rule.slice(colon + 1).split(",")) {
        skills.set(`${ecosystem}:${plainName(ecosystem, name)}`, skill);
      }
    }
  }

  return (ecosystem: string, name: string): Skill | undefined => {
    // Gradle also uses the rules of Maven.
    const rulesOf = ecosystem === "gradle" ? "maven" : ecosystem;
    for (const variant of variantsOf(rulesOf, plainName(rulesOf, name))) {
      const ends = [...variant.matchAll(wordEnds)].reverse();
      for (const text of [variant, ...ends.map(({ index }) => `${variant.slice(0, index)}*`)]) {
        const skill = skills.get(`${ecosystem}:${text}`) ?? skills.get(`${rulesOf}:${text}`);
        if (skill) return skill;
      }
    }
    return undefined;
  };
}

const wordEnds = /(?<![a-z])|(?![a-z])/g;

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
const boundaries = new Map(
  Object.entries({
    ...{ go: "/.", maven: ":.-", nuget: ".", docker: "/", swift: "/", actions: "/" },
    ...{ pypi: "-", cargo: ":", terraform: "/_" },
  }),
);

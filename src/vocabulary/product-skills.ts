import list from "../../seed/vocabulary/fields.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";
import { normalise } from "./normalise.ts";
import type { Skill } from "./skills.ts";
import { isAmbiguousName } from "./text-skills.ts";

interface NameFinders {
  findSkill(name: string): Skill | undefined;
  packageSkill(ecosystem: string, name: string): Skill | undefined;
  skillById(id: string): Skill | undefined;
}

/** Reads the ids of the skills that are fields of knowledge, or with the mark `plumbing`, of what nearly every project uses. */
export function listFields(mark: "" | "plumbing" = ""): ReadonlySet<string> {
  const lines = readListLines(list).filter(
    (line) => line.startsWith("plumbing =") === (mark !== ""),
  );
  return new Set(lines.flatMap((line) => line.replace(/^.* = /, "").split(" ")));
}

/** Creates the lookup of the skill that a product's authors have: the known skill with the product's name, or a new skill. */
export function createProductFinder({ findSkill, packageSkill, skillById }: NameFinders) {
  /** Finds the skill with this name. Postgres is PostgreSQL, but bat is not Batchfile, and gluon is not MXNet. */
  const findNamed = (text: string): Skill | undefined => {
    const skill = findSkill(text);
    return skill && (isForm(text, skill.name) || isForm(skill.name, text)) ? skill : undefined;
  };
  return (product: string): Skill | undefined => {
    const colon = product.indexOf(":");
    const [ecosystem, name] = [product.slice(0, colon), product.slice(colon + 1)];
    if (colon < 1 || name === "") return undefined;
    if (/^(subject|claimed|book)$/.test(ecosystem)) return skillById(name);
    const short = shortNameOf(ecosystem, name);
    const known = findNamed(short);
    if (ecosystem !== "repository") {
      // A known skill with this name is another product.
      return packageSkill(ecosystem, name) ?? (known ? undefined : ownSkill(short));
    }
    // "docker/compose" is Docker Compose.
    const whole = findNamed(name.replaceAll("/", " "));
    if (whole && whole.type !== "domain" && !isAmbiguousName(whole.name)) return whole;
    if (known && known.type !== "domain" && !isAmbiguousName(short)) return known;
    // `name` includes the owner if the name alone is generic, such as "book".
    return toProductId(short) === "" ? undefined : ownSkill(name);
  };
}

/** Whether a name is a word of a longer one, or the longer one without its last two signs, such as the "QL" of PostgreSQL. */
function isForm(short: string, long: string): boolean {
  const [name, whole] = [normalise(short), normalise(long)];
  const rest = whole.startsWith(name) ? whole.length - name.length : Number.POSITIVE_INFINITY;
  return rest <= 2 || long.split(/[^\p{L}\p{N}]+/u).some((word) => normalise(word) === name);
}

/** Returns the skill id of a product that the vocabulary does not know. Returns "" for a name without letters or digits. */
export function toProductId(name: string): string {
  const plain = normalise(name);
  return plain === "" ? "" : `product:${plain}`;
}

function ownSkill(name: string): Skill | undefined {
  const id = toProductId(name);
  return id === "" ? undefined : { id, name, type: "library", aliases: [] };
}

/** Returns the name that people use: `cobra` for `github.com/spf13/cobra/v2`. */
function shortNameOf(ecosystem: string, name: string): string {
  if (ecosystem === "npm") return name;
  if (ecosystem === "maven" || ecosystem === "gradle") return name.slice(name.lastIndexOf(":") + 1);
  const parts = name.split("/").filter((part) => part !== "" && !/^v\d+$/.test(part));
  return parts.at(-1) ?? name;
}

import MiniSearch from "minisearch";
import { normalise, splitWords } from "./normalise.ts";
import { createPackageFinder, readFurtherPackages } from "./packages.ts";
import { readPaths } from "./paths.ts";
import { createProductFinder, listFields, toProductId } from "./product-skills.ts";
import { createRoleReader, type ReadRole } from "./role-text.ts";
import { type LexiconEntry, type Role, readRoles } from "./roles.ts";
import { packSkills } from "./skills.ts" with { type: "macro" };
import { createSkills, readBroader, type Skill, type SkillBook } from "./skills.ts";
import { openSubjects } from "./subjects.ts";
import { createTermNames, type FoundTerm } from "./term-names.ts";
import { createTextReader, isAmbiguousName } from "./text-skills.ts";
import { createTitleReader } from "./title-roles.ts";
import { readTrades, type Trade } from "./trades.ts";

export type { ReadRole } from "./role-text.ts";
export type { LexiconEntry, Role } from "./roles.ts";
export type { Skill, SkillType } from "./skills.ts";
export type { Trade } from "./trades.ts";

/**
 * Creates the vocabulary. This costs nothing by itself: each list is read on first use, the skills in less than a
 * millisecond. A list that contradicts itself throws at that time, except that the skills are checked when the
 * program is bundled; tests read every list.
 */
export function createVocabulary(): Vocabulary {
  const skills = once(() => createSkills(packSkills()));
  const roles = once(readRoles);
  const paths = once(readPaths);
  // If both lists name a package, the skill's own line comes later and wins.
  const packages = once(() =>
    createPackageFinder([...readFurtherPackages(skills().byId), ...skills().packages]),
  );
  const subjects = once(() => openSubjects((text) => reader()(text), fields()));
  const fields = once(listFields);
  const broader = once(() => readBroader(skills().byId));
  const reader = once(() => createTextReader(skills().byName));
  const titles = once(() => createTitleReader(roles().titles));
  const trades = once(() => readTrades({ findRole, findSkill }));
  const suggestions = once(() => openSuggestions(skills(), roles().roles));
  const skillNames = once(() => createTermNames(skills().skills));
  const roleNames = once(() =>
    createTermNames(roles().roles.map((role) => ({ ...role, name: role.displayName }))),
  );

  function findSkill(text: string): Skill | undefined {
    const book = skills();
    return book.find(normalise(text)) ?? book.find(normalise(withoutVersion(text)));
  }

  function findRole(text: string): Role | undefined {
    return roles().byName.get(normalise(text));
  }

  const packageSkill: Vocabulary["packageSkill"] = (ecosystem, name) => packages()(ecosystem, name);

  function findLanguage(text: string): Skill | undefined {
    const skill = findSkill(text);
    return skill && skills().isSpoken(skill) ? skill : undefined;
  }

  const skillById: Vocabulary["skillById"] = (id) => skills().byId.get(id);

  return {
    ...{ findSkill, findLanguage, findRole },
    findTrade: (text) => trades().get(normalise(text)),
    readRole: createRoleReader({ findRole, findLanguage }),
    skillById,
    broader: (id) => broader().get(id) ?? [],
    get skills() {
      return skills().skills;
    },
    get roles() {
      return roles().roles;
    },
    packageSkill,
    productSkill: createProductFinder({ findSkill, packageSkill, isAmbiguousName, skillById }),
    subjectsOf: (text) => subjects()(text),
    isField: (id) => fields().has(id),
    productId: toProductId,
    topicSkill(topic) {
      const narrow = topic.replace(topicSuffix, "");
      return findSkill(topic) ?? (narrow === "" ? undefined : skills().find(normalise(narrow)));
    },
    textSkills: (text) => reader()(text),
    titleRoles: (text) => titles()(text),
    pathClasses: (path) => paths().classesOf(path),
    pathSkill: (pathClass) => skills().byId.get(paths().skills.get(pathClass) ?? ""),
    get pathClassNames() {
      return paths().classes;
    },
    roleLexicon: (role) => roles().lexicon.get(role) ?? [],
    normalise,
    words: splitWords,
    complete: (text, kind) =>
      kind === "skill"
        ? skillNames().complete(text, findSkill(text))
        : roleNames().complete(text, findRole(text)),
    similar: (text, kind) => (kind === "skill" ? skillNames() : roleNames()).similar(text),
    suggest: (text, kind) => suggestions()(text, kind),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** "Angular 17", ".NET 8.0" and "Vue 3.x" name the same skill as without the version. */
function withoutVersion(text: string): string {
  return text.replace(/(?<!\s)\s+v?\d+(?:\.\d+)*(?:\.x|\+)?\s*$/i, "");
}

/** In topics like `react-components`, `kubernetes-operator`, `vim-plugin` the last word is not part of the skill. */
const topicSuffix =
  /-(?:app|apps|application|applications|component|components|example|examples|extension|extensions|framework|lang|library|module|modules|package|plugin|plugins|project|projects|starter|template|templates|theme|tool|tools|tutorial|tutorials)$/;

const suggestionsMax = 5;

function openSuggestions(
  { skills, isSpoken }: SkillBook,
  roles: readonly Role[],
): Vocabulary["suggest"] {
  const index = new MiniSearch<{ id: number }>({
    fields: ["name", "aliases"],
    searchOptions: { boost: { name: 2 }, prefix: true, fuzzy: 0.25, combineWith: "AND" },
  });
  const entries = [
    ...skills.map((skill) => ({
      ...skill,
      kinds: isSpoken(skill) ? ["skill", "language"] : ["skill"],
    })),
    ...roles.map((role) => ({ ...role, name: role.displayName, kinds: ["role"] })),
  ];
  index.addAll(
    entries.map(({ name, aliases }, id) => ({
      id,
      name,
      aliases: [name, ...aliases].map(normalise).join(" "),
    })),
  );
  return (text, kind) => {
    const names: string[] = [];
    const found = index.search(text).concat(index.search(normalise(text)));
    for (const { id } of found) {
      const entry = entries[id as number];
      if (entry?.kinds.includes(kind) && !names.includes(entry.name)) names.push(entry.name);
      if (names.length === suggestionsMax) break;
    }
    return names;
  };
}

/** Skills, languages and roles with their names and aliases. Pure data: the same answers in every process. */
export interface Vocabulary {
  /** Exact normalised name or alias (`k8s`, `golang`, `reactjs`); languages are skills of type language. */
  findSkill(text: string): Skill | undefined;
  findLanguage(text: string): Skill | undefined;
  findRole(text: string): Role | undefined;
  /** The role of a request, and the languages that its words name. */
  readRole(text: string): ReadRole;
  /** What is known of a trade that no history shows, such as design: why, and what is nearest to it. */
  findTrade(text: string): Trade | undefined;
  skillById(id: string): Skill | undefined;
  /** Skills that include this one, nearest first: S3 is part of AWS, Next.js is built on React. */
  broader(id: string): readonly Skill[];
  readonly skills: readonly Skill[];
  readonly roles: readonly Role[];
  /** The skill that an ecosystem's package is evidence for: React for ("npm", "react-dom"). */
  packageSkill(ecosystem: string, name: string): Skill | undefined;
  /**
   * The skill that writing a product shows, by `repository:NAME`, `repository:OWNER/NAME` or `ECOSYSTEM:NAME`: Flask for
   * Flask's authors, else one of the product's own, with the id `productId` of its name; and by `subject:SKILL`, what the
   * product is about, or by `book:SKILL`, what a book is about.
   */
  productSkill(product: string): Skill | undefined;
  /** Ids of the skills that a project is about whose README says this of what it is, sorted. */
  subjectsOf(definition: string): readonly string[];
  /** Whether the skill is a field of knowledge, which one package alone does not show: mathematics, not React. */
  isField(skillId: string): boolean;
  /** "" for a text without letters or digits. */
  productId(name: string): string;
  /** The skill that a repository topic means. */
  topicSkill(topic: string): Skill | undefined;
  /** Skills named in free text (bio, README); never the short ambiguous names. */
  textSkills(text: string): readonly Skill[];
  /** Leadership and technical roles that a self-described title names (bio, company line). */
  titleRoles(text: string): readonly Role[];
  /** Path classes of a file, e.g. `ci`, `dockerfile`, `terraform`, `ios`, `test`, `docs`, `notebook`: evidence for roles. */
  pathClasses(path: string): readonly string[];
  /** The one skill that uses files of this class, e.g. Kubernetes for its manifests. Most classes have none. */
  pathSkill(pathClass: string): Skill | undefined;
  /** All path classes. */
  readonly pathClassNames: readonly string[];
  /** Which evidence speaks for a role, how strongly in log odds, and why. */
  roleLexicon(role: string): readonly LexiconEntry[];
  /** Normalises a name for comparison. */
  normalise(text: string): string;
  /** Splits a text into normalised words, for unknown skills, without stop words. */
  words(text: string): readonly string[];
  /** Skills or roles that the text names or begins to name, by any of their names. */
  complete(text: string, kind: "skill" | "role"): readonly FoundTerm[];
  /** Skills or roles that the text may misspell. */
  similar(text: string, kind: "skill" | "role"): readonly FoundTerm[];
  /** Names similar to a text, for completion and "did you mean", by MiniSearch. */
  suggest(text: string, kind: "skill" | "language" | "role"): readonly string[];
}

import MiniSearch from "minisearch";
import { normalise, splitWords } from "./normalise.ts";
import { createPackageFinder } from "./packages.ts";
import { readPaths } from "./paths.ts";
import { createProductFinder, listFields, toProductId } from "./product-skills.ts";
import { createRoleReader } from "./role-text.ts";
import { type LexiconEntry, type Role, type RoleBook, readRoles } from "./roles.ts";
import { readBroader, readSkills, type Skill, type SkillBook } from "./skills.ts";
import { openSubjects } from "./subjects.ts";
import { createTermNames } from "./term-names.ts";
import { createTextReader } from "./text-skills.ts";
import { createTitleReader } from "./title-roles.ts";
import { readTrades } from "./trades.ts";

export type { ReadRole } from "./role-text.ts";
export type { LexiconEntry, Role } from "./roles.ts";
export type { Skill } from "./skills.ts";

/** Skills, languages and roles with their names and aliases. */
export type Vocabulary = ReturnType<typeof createVocabulary>;

/** Creates the vocabulary. Each list is read at its first use. An error in a list is thrown then. */
export function createVocabulary() {
  const skills = once(readSkills);
  const roles = once(readRoles);
  const { findSkill, findLanguage, findRole, skillById } = createFinders(skills, roles);
  const paths = once(readPaths);
  const packages = once(() => createPackageFinder(skills().packages));
  const subjects = once(() => openSubjects((text) => reader()(text), fields()));
  const fields = once(() => listFields());
  const plumbing = once(() => listFields("plumbing"));
  const broader = once(() => readBroader(skills().byId));
  const reader = once(() => createTextReader(skills().byName));
  const titles = once(() => createTitleReader(roles().titles));
  const trades = once(() => readTrades({ findRole, findSkill }));
  const suggestions = once(() => openSuggestions(skills(), roles().roles));
  const skillNames = once(() => createTermNames(skills().skills));
  const roleNames = once(() =>
    createTermNames(roles().roles.map((role) => ({ ...role, name: role.displayName }))),
  );

  const packageSkill = (ecosystem: string, name: string) => packages()(ecosystem, name);

  return {
    ...{ findSkill, findLanguage, findRole, skillById },
    readRole: createRoleReader({ findRole, findLanguage }),
    /** Returns a trade that history does not show, such as design. */
    findTrade: (text: string) => trades().get(normalise(text)),
    /** Returns the skills that include this skill, nearest first: AWS for S3, React for Next.js. */
    broader: (id: string): readonly Skill[] => broader().get(id) ?? [],
    get skills() {
      return skills().skills;
    },
    get roles() {
      return roles().roles;
    },
    /** Returns the skill that a package is evidence for: React for ("npm", "react-dom"). */
    packageSkill,
    /**
     * Returns the skill of a product's authors. For `ECOSYSTEM:NAME`, `repository:NAME` and `repository:OWNER/NAME`, this is a
     * known skill, or else a new skill. For `subject:SKILL`, `claimed:SKILL` and `book:SKILL`, this is SKILL.
     */
    productSkill: createProductFinder({ findSkill, packageSkill, skillById }),
    /** Returns the sorted ids of the skills that a project is about, from the definition in its README. */
    subjectsOf: (definition: string) => subjects().find(definition),
    /** Returns the names of a subject: the names of the skill, and the phrases by which READMEs name it. */
    subjectNames(id: string): readonly string[] {
      const { name = id, aliases = [] } = skillById(id) ?? {};
      return [name, ...aliases, ...(subjects().phrasesOf.get(id) ?? [])];
    },
    /** Whether the skill is a field of knowledge, such as mathematics. */
    isField: (skillId: string) => fields().has(skillId),
    /** Whether nearly every project of its language uses the skill, such as a test runner. */
    isPlumbing: (skillId: string) => plumbing().has(skillId),
    /** Returns the id of a product's skill. Returns "" for a name without letters or digits. */
    productId: toProductId,
    /** Returns the skill that a repository topic means. */
    topicSkill(topic: string): Skill | undefined {
      const narrow = topic.replace(topicSuffix, "");
      return (
        findSkill(topic) ?? (narrow === "" ? undefined : skills().byName.get(normalise(narrow)))
      );
    },
    /** Returns the skills named in free text (bio, README). Never returns short ambiguous names. */
    textSkills: (text: string) => reader()(text),
    /** Returns the leadership and technical roles in what people call themselves (bio, company line). */
    titleRoles: (text: string) => titles()(text),
    /** Returns the path classes of a file, which are evidence for roles: `ci`, `dockerfile`, `ios`, `test`, `docs`. */
    pathClasses: (path: string) => paths().classesOf(path),
    /** Returns the skill that files of this class show: Kubernetes for its manifests. Most classes show no skill. */
    pathSkill: (pathClass: string) => skillById(paths().skills.get(pathClass) ?? ""),
    get pathClassNames() {
      return paths().classes;
    },
    /** Returns the evidence for and against a role, with its strength in log odds and the reason. */
    roleLexicon: (role: string): readonly LexiconEntry[] => roles().lexicon.get(role) ?? [],
    normalise,
    /** Splits a text into normalised words, without stop words. */
    words: splitWords,
    complete: (text: string, kind: "skill" | "role") =>
      kind === "skill"
        ? skillNames().complete(text, findSkill(text))
        : roleNames().complete(text, findRole(text)),
    similar: (text: string, kind: "skill" | "role") =>
      (kind === "skill" ? skillNames() : roleNames()).similar(text),
    suggest: (text: string, kind: NamedKind) => suggestions()(text, kind),
  };
}

/** Creates finders by an exact normalized name or alias (`k8s`, `golang`, `reactjs`). Languages are skills of type language. */
function createFinders(skills: () => SkillBook, roles: () => RoleBook) {
  function findSkill(text: string): Skill | undefined {
    const { byName } = skills();
    return byName.get(normalise(text)) ?? byName.get(normalise(withoutVersion(text)));
  }

  function findLanguage(text: string): Skill | undefined {
    const skill = findSkill(text);
    return skill && skills().spoken.has(skill) ? skill : undefined;
  }

  function findRole(text: string): Role | undefined {
    return roles().byName.get(normalise(text));
  }

  const skillById = (id: string) => skills().byId.get(id);
  return { findSkill, findLanguage, findRole, skillById };
}

type NamedKind = "skill" | "language" | "role";

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Removes a version: "Angular 17", ".NET 8.0" and "Vue 3.x" name the skill without it. */
function withoutVersion(text: string): string {
  return text.replace(/(?<!\s)\s+v?\d+(?:\.\d+)*(?:\.x|\+)?\s*$/i, "");
}

/** Matches the last word of topics such as `react-components` and `vim-plugin`, which is not part of the skill's name. */
const topicSuffix =
  /-(?:app|apps|application|applications|component|components|example|examples|extension|extensions|framework|lang|library|module|modules|package|plugin|plugins|project|projects|starter|template|templates|theme|tool|tools|tutorial|tutorials)$/;

const suggestionsMax = 5;

function openSuggestions({ skills, spoken }: SkillBook, roles: readonly Role[]) {
  const index = new MiniSearch<{ id: number }>({
    fields: ["name", "aliases"],
    searchOptions: { boost: { name: 2 }, prefix: true, fuzzy: 0.25, combineWith: "AND" },
  });
  const entries = [
    ...skills.map((skill) => ({
      ...skill,
      kinds: spoken.has(skill) ? ["skill", "language"] : ["skill"],
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
  return (text: string, kind: NamedKind): readonly string[] => {
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

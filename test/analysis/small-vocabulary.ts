import type { LexiconEntry, Role, Skill, Vocabulary } from "../../src/vocabulary/vocabulary.ts";

/** A vocabulary of a dozen words whose weights never change, so that examples can be computed by hand. */
export const smallVocabulary: Vocabulary = open();

function skill(id: string, name: string, type: Skill["type"]): Skill {
  return { id, name, type, aliases: [] };
}

function role(id: string, displayName: string, kind: Role["kind"]): Role {
  return { id, displayName, aliases: [], kind };
}

function says(
  kind: LexiconEntry["kind"],
  name: string,
  weight: number,
  reason = name,
  isOwn = true,
): LexiconEntry {
  return { kind, name, weight, reason, isOwn, isShared: false, isSpoken: false };
}

function open(): Vocabulary {
  const skills = [
    skill("go", "Go", "language"),
    skill("typescript", "TypeScript", "language"),
    skill("python", "Python", "language"),
    skill("rust", "Rust", "language"),
    skill("react", "React", "framework"),
    skill("postgresql", "PostgreSQL", "platform"),
    skill("kubernetes", "Kubernetes", "platform"),
  ];
  const packages = new Map([
    ["npm:react", "react"],
    ["npm:react-dom", "react"],
    ["npm:pg", "postgresql"],
    ["go:k8s.io/client-go", "kubernetes"],
  ]);
  const lexicon: Record<string, LexiconEntry[]> = {
    backend: [says("language", "Go", 2), says("skill", "postgresql", 2), says("path", "sql", 1)],
    frontend: [says("skill", "react", 3, "client"), says("language", "TypeScript", 1, "client")],
    devops: [
      says("skill", "kubernetes", 2),
      says("path", "ci", 2),
      says("skill", "react", -1),
      says("language", "Python", 3, "glue", false),
    ],
  };
  const roles = [
    role("fullstack", "Full-stack Developer", "derived"),
    role("backend", "Backend Developer", "technical"),
    role("frontend", "Frontend Developer", "technical"),
    role("devops", "DevOps Engineer", "technical"),
    role("cto", "CTO", "leadership"),
  ];
  const byId = new Map(skills.map((each) => [each.id, each]));
  const byName = (text: string) =>
    skills.find(({ id, name }) => id === text.toLowerCase() || name === text);
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 1);
  const named = (text: string) => (id: string) => words(text).includes(id);
  return {
    skills,
    roles,
    findSkill: byName,
    findTrade: () => undefined,
    findLanguage: (text) => {
      const found = byName(text);
      return found?.type === "language" ? found : undefined;
    },
    readRole: (text) => ({
      role: roles.find(({ id }) => id === text),
      ...{ languages: [], seniority: [], rest: text },
    }),
    findRole: (text) => roles.find(({ id }) => id === text),
    skillById: (id) => byId.get(id),
    broader: () => [],
    packageSkill: (ecosystem, name) => byId.get(packages.get(`${ecosystem}:${name}`) ?? ""),
    isField: () => false,
    isPlumbing: () => false,
    subjectsOf: () => [],
    subjectNames: () => [],
    productSkill: (product) => {
      const name = product.slice(product.search(/[^:/]*$/));
      return product.includes(":")
        ? (byName(name) ?? skill(`product:${name}`, name, "library"))
        : undefined;
    },
    productId: (name) => `product:${name.toLowerCase()}`,
    topicSkill: byName,
    textSkills: (text) =>
      ["react", "kubernetes"].filter(named(text)).flatMap((id) => byId.get(id) ?? []),
    titleRoles: (text) => roles.filter(({ id }) => named(text)(id)),
    pathClasses: () => [],
    pathSkill: (pathClass) => byId.get(pathClass),
    pathClassNames: [],
    roleLexicon: (id) => lexicon[id] ?? [],
    normalise: (text) => text.toLowerCase(),
    words,
    suggest: () => [],
    complete: () => [],
    similar: () => [],
  };
}

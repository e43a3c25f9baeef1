import type { Vocabulary } from "../../../src/vocabulary/vocabulary.ts";
import type { Archetype } from "./lists.ts";

/** @returns names in the archetypes that the vocabulary does not know. Evidence with such a name would find no skill. */
export function checkNames(archetypes: readonly Archetype[], vocabulary: Vocabulary): string[] {
  const classes = new Set(vocabulary.pathClassNames);
  return archetypes.flatMap(({ id, languages, imports, manifests, paths, topics }) => {
    const packages = [...imports, ...manifests].map(({ name }) => name);
    const unknown = [
      ...languages.filter(({ name }) => !vocabulary.findLanguage(name)).map(({ name }) => name),
      ...packages.filter((name) => {
        const colon = name.indexOf(":");
        return !vocabulary.packageSkill(name.slice(0, colon), name.slice(colon + 1));
      }),
      ...paths.filter(({ name }) => !classes.has(name)).map(({ name }) => `path ${name}`),
      ...topics
        .filter(({ name }) => !vocabulary.topicSkill(name))
        .map(({ name }) => `topic ${name}`),
    ];
    return unknown.map((name) => `${id}: ${name}`);
  });
}

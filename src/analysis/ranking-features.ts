import { listWorkedRepositories, type RankingFeatures } from "../contract/people/assessment.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import type { FactsAsOf } from "./facts-as-of.ts";
import type { Judgement } from "./judgement.ts";

/**
 * Builds what the search index needs to rank and filter a developer.
 * @package
 */
export function buildRankingFeatures(
  judgement: Judgement,
  vocabulary: Vocabulary,
): RankingFeatures {
  const { counted, skills, roles } = judgement;
  const { facts } = counted;
  return {
    login: facts.login,
    searchable: (facts.class ?? "human") === "human",
    profile: judgement.profile.score,
    activity: judgement.activity.score,
    techStack: judgement.techStack.score,
    experienceTenths: judgement.experience.tenths,
    hireable: facts.profile.hireable ?? false,
    places: [...judgement.placeIds],
    roles: roles.map(({ role, match, techStack }) => ({
      role: role.id,
      match,
      techStack: techStack.score,
    })),
    concepts: skills.map(({ skill, strength }) => ({ concept: skill.id, strength })),
    words: wordsOf(counted, vocabulary),
    repositories: listWorkedRepositories(counted.repositories, counted.asOf),
  };
}

/** Sorted, so that the order of repositories in the facts does not matter. */
function wordsOf({ facts, repositories }: FactsAsOf, vocabulary: Vocabulary): string[] {
  const words = new Set<string>();
  const add = (text: string) => {
    for (const word of vocabulary.words(text)) words.add(word);
  };
  if (facts.profile.bio) add(facts.profile.bio);
  for (const { name, owned, topics } of repositories) {
    if (!owned) continue;
    add(name.slice(name.lastIndexOf("/") + 1));
    for (const topic of topics ?? []) add(topic);
  }
  return [...words].sort();
}

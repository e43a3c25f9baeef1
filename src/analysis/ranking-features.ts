import { listWorkedRepositories, type RankingFeatures } from "../contract/people/assessment.ts";
import type { FactsAsOf } from "./facts-as-of.ts";
import type { Judgement } from "./judgement.ts";
import type { Tools } from "./scores/skills.ts";

/** Builds the features by which the search index ranks and filters a developer. */
export function buildRankingFeatures(
  judgement: Judgement,
  tools: Pick<Tools, "vocabulary" | "model">,
): RankingFeatures {
  const { counted, skills, roles } = judgement;
  const { facts } = counted;
  const { matchStrengthMin } = tools.model.skills;
  const listConcepts = (found: typeof skills) =>
    found.map(({ skill, strength }) => ({ concept: skill.id, strength }));
  const lastActive = counted.commits?.last;
  const { company, followers } = facts.profile;
  return {
    login: facts.login,
    searchable: (facts.class ?? "human") === "human",
    profile: judgement.profile.score,
    activity: judgement.activity.score,
    techStack: judgement.techStack.score,
    experienceTenths: judgement.experience.tenths,
    hireable: facts.profile.hireable ?? false,
    ...(lastActive !== undefined && { lastActive }),
    places: [...judgement.placeIds],
    roles: roles.map(({ role, match, techStack }) => ({
      role: role.id,
      match,
      techStack: techStack.score,
    })),
    concepts: listConcepts(skills.filter(({ strength }) => strength >= matchStrengthMin)),
    words: wordsOf(counted, tools),
    repositories: listWorkedRepositories(counted.repositories, counted.asOf),
    weakConcepts: listConcepts(skills.filter(({ strength }) => strength < matchStrengthMin)),
    ...(company !== undefined && { company }),
    ...(followers !== undefined && { followers }),
  };
}

/** Lists the words of the bio, and of the names and topics of own repositories. The words are sorted. */
function wordsOf({ facts, repositories }: FactsAsOf, { vocabulary }: Pick<Tools, "vocabulary">) {
  const own = repositories.filter(({ owned }) => owned);
  const texts = [
    facts.profile.bio ?? "",
    ...own.flatMap(({ name, topics = [] }) => [name.slice(name.lastIndexOf("/") + 1), ...topics]),
  ];
  return [...new Set(texts.flatMap(vocabulary.words))].sort();
}

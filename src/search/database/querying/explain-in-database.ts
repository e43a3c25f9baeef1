/** Explains a developer's place in a result. Applies the code of the in-memory index to the lists of the developer's block. */
import { computeScore } from "../../../contract/people/developer.ts";
import type { SearchRequest } from "../../../contract/requests.ts";
import type { RankedRow } from "../../../pool/pool.ts";
import { explainAbsence, explainNowhere, listVerdicts } from "../../explain.ts";
import { type QueryCondition, resolveNowhere, resolveQuery } from "../../resolve-query.ts";
import type { SearchExplanation } from "../../search-index.ts";
import type { SearchParts } from "../../search-parts.ts";
import { createTechStackScoring } from "../../tech-stack.ts";
import { computeBase, selectWeighing } from "../../weighing.ts";
import { listManyTerms } from "../blocks/block-list.ts";
import { type BlockEvaluator, createBlockEvaluator } from "../blocks/evaluate-block.ts";
import { readBlocks } from "../blocks/read-blocks.ts";
import type { SearchedIndex } from "../generation-in-use.ts";
import type { DatabasePlan } from "./database-plan.ts";
import { resolveLists } from "./find-in-database.ts";
import { findRow, readPeople } from "./read-people.ts";
import { counting, type FoundInBlock, walkBlocks } from "./walk-blocks.ts";

type Parts = Pick<SearchParts, "places" | "vocabulary">;

/** @returns undefined if the generation was removed meanwhile. */
export async function explainInDatabase(
  index: SearchedIndex,
  { rowId, standing }: RankedRow,
  query: SearchRequest,
  parts: Parts,
): Promise<SearchExplanation | undefined> {
  const { statements, generation } = index;
  const { id, blockSize } = generation;
  const plan = await resolveLists(index, (lists) => resolveQuery(query, parts, lists));
  if (!plan) {
    const nowhere = resolveLists(index, (lists) => resolveNowhere(query, parts, lists));
    return explainNowhere(standing, query, parts, (await nowhere).locationSuggestions);
  }
  const { profile, activity } = standing;
  const base = computeBase(profile, activity);
  const ordinal = await findRow(statements, generation, generation.getRun(base), rowId);
  if (ordinal === undefined) {
    return explainAbsence(standing, await walkBlocks(index, plan, counting));
  }
  const block = Math.floor(ordinal / blockSize);
  const at = ordinal - block * blockSize;
  const all = listManyTerms(plan.clauses.flat());
  const wanted = { terms: all, scoring: all };
  const [blockParts] = await readBlocks(statements, generation, [block], wanted);
  const [person] = await readPeople(statements, id, [{ block, ordinal: at }]);
  if (!blockParts || !person) return undefined;
  const evaluate = createBlockEvaluator(blockParts, blockSize);
  const verdicts = listVerdicts({
    ...{ plan: { ...plan, conditions: evaluateConditions(plan, evaluate) }, query },
    ...{ ordinal: at, standing, parts },
    experienceTenths: person.experience,
  });
  const { login } = standing;
  const isIn = verdicts.every(({ holds }) => holds);
  if (!isIn) {
    const total = await walkBlocks(index, plan, counting);
    return { login, isIn, verdicts, total };
  }
  const { ranking } = plan;
  const columns = {
    skills: ranking.skills.map(evaluate),
    role: ranking.role && evaluate(ranking.role),
  };
  const ofBestRole = new Uint8Array(blockSize).fill(person.techStack);
  const { score: scoreAll } = createTechStackScoring(columns, ofBestRole);
  const techStack = scoreAll(Uint32Array.of(at))[0] as number;
  const { weights, toTenths, tenthsPerTechPoint } = selectWeighing(ranking);
  const tenths = toTenths(base) + tenthsPerTechPoint * techStack;
  const own = { figure: 0, block, ordinal: at, base, techStack, tenths };
  const ranked = await findRank(index, plan, own, person.loginRank);
  if (!ranked) return undefined;
  const score = computeScore(profile, techStack, activity, weights);
  const { rank, total } = ranked;
  return { login, isIn, verdicts, total, placing: { score, profile, techStack, activity, rank } };
}

/** Counts the people ranked before this person. Logins decide between equal scores. */
async function findRank(
  index: SearchedIndex,
  plan: DatabasePlan,
  own: FoundInBlock,
  loginRank: number,
): Promise<{ readonly rank: number; readonly total: number } | undefined> {
  let before = 0;
  const equals: FoundInBlock[] = [];
  const offer = (found: FoundInBlock) => {
    if (found.tenths > own.tenths) before++;
    else if (found.techStack !== own.techStack || found.base !== own.base) equals.push(found);
    // Developers with equal base scores have ordinals in order of login.
    else if (found.block < own.block) before++;
    else if (found.block === own.block && found.ordinal < own.ordinal) before++;
  };
  const collector = { threshold: own.tenths, size: Number.POSITIVE_INFINITY, offer };
  const total = await walkBlocks(index, plan, collector);
  for (let from = 0; from < equals.length; from += peopleAtOnce) {
    const some = equals.slice(from, from + peopleAtOnce);
    const people = await readPeople(index.statements, index.generation.id, some);
    if (people.length < some.length) return undefined;
    before += people.filter((person) => person.loginRank < loginRank).length;
  }
  return { rank: before + 1, total };
}

const peopleAtOnce = 1000;

/** Evaluates the lists of the conditions in the developer's block. */
function evaluateConditions(
  { conditions }: DatabasePlan,
  evaluate: BlockEvaluator,
): readonly QueryCondition[] {
  return conditions.map(({ field, clauses, named }) => ({
    field,
    clauses: clauses.map((clause) => clause.map(evaluate)),
    ...(named && { named: named.map((one) => ({ ...one, holders: evaluate(one.holders) })) }),
  }));
}

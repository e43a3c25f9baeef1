/**
 * From `git log` to a score, in seven stages, each in the file of this folder that bears its name: find, read log
 * and keep (repository by repository), count, identify, assemble, publish. What is read is kept as it is read; what
 * the pool shows changes once, at the end: it shows the people of before or those of after, never some of both.
 */
import type { AsOf } from "../../analysis/analysis.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { assembleFacts } from "./assemble-facts.ts";
import { countCommits } from "./count-commits.ts";
import { findRepositories } from "./find-repositories.ts";
import { eraseForgotten } from "./forget-people.ts";
import { type GitOptions, openGit } from "./git-command.ts";
import { type Community, identifyPeople } from "./identify-people.ts";
import {
  createIdentityRules,
  type IdentityRules,
  noFiles,
  type OperatorFiles,
} from "./identity/rules.ts";
import { publishPeople, readPoolMark } from "./publish-people.ts";
import { type CloneOptions, readRepositories } from "./read-repositories.ts";
import {
  type GitIngestReport,
  reportIngest,
  reportNothingRead,
  reportUnchanged,
  summariseOutcome,
  summariseRepositories,
} from "./report.ts";

export interface GitIngest extends CloneOptions, GitOptions {
  /** Repositories, bundles, or folders that hold some; none: the people of all that is known. */
  readonly paths: readonly string[];
  readonly pool: Pick<
    Pool,
    "beginImport" | "findFacts" | "sources" | "revision" | "erasing" | "decisions"
  >;
  /** Commits dated later are flagged and not counted. */
  readonly asOf: AsOf;
  /** What the operator's files say of people; default: nothing. Decisions are the pool's. */
  readonly files?: OperatorFiles | undefined;
  readonly judge: Judge;
  /** Of the constants that it judges with. */
  readonly modelVersion: string;
  /** Whether the report names every author; it costs a counting even when nothing is new. */
  readonly wantsAuthors?: boolean | undefined;
}

/**
 * Reads what is new in repositories and puts everybody affected into the pool, in place of what git told
 * of the same login before; what others told of it stays. People whom git no longer tells of leave; the
 * demo people leave when the first real ones come. The same input again changes nothing.
 *
 * @throws Fault when there is no git, or while another import runs; the signal's reason when it
 *   is aborted: the pool is then as before, and the next run goes on where this one ended.
 */
export async function ingestGit(request: GitIngest): Promise<GitIngestReport> {
  const { ledger, pool, asOf, modelVersion, paths } = request;
  const git = openGit(request);
  const found = findRepositories(paths);
  const { read, refused } = await readRepositories(git, found, request);
  if (paths.length > 0 && read.length === 0) return reportNothingRead(refused);

  const rules = createIdentityRules(request.files ?? noFiles, await pool.decisions.list());
  const applied = ledger.applied();
  // Judged as of another day, by another model or Roster: then everybody's figures may differ.
  const isJudged =
    applied?.asOf === asOf &&
    applied.modelVersion === modelVersion &&
    applied.poolMark === (await readPoolMark(pool));
  const isCounted = applied?.isCurrent && applied.identity === rules.fingerprint;
  if (isCounted && isJudged && !request.wantsAuthors) {
    return reportUnchanged({ read, refused, outcome: applied.outcome, ledger, pool });
  }

  const { community, suppressed } = await identifyRemembered(request, rules);
  const outcome = summariseOutcome(community);
  const demoLeaves = outcome.developers.human > 0;
  const people = assembleFacts(community);
  const { gone, ...counts } = await publishPeople(people, { ...request, isJudged, demoLeaves });
  const identity = rules.fingerprint;
  const now = { asOf, modelVersion, identity, poolMark: await readPoolMark(pool), outcome };
  ledger.setApplied(now, gone, summariseRepositories(community));
  const imported = { ...counts, suppressed: counts.suppressed + suppressed };
  return reportIngest({ read, refused, outcome, imported, community, places: ledger.places() });
}

/**
 * The stages count and identify, for everybody but those who had themselves forgotten: they are erased from what is
 * kept too, and what is left is counted as if their commits were nobody's.
 */
export async function identifyRemembered(
  { ledger, pool, asOf }: Pick<GitIngest, "ledger" | "asOf"> & { pool: Pick<Pool, "erasing"> },
  rules: IdentityRules,
): Promise<{ readonly community: Community; readonly suppressed: number }> {
  const identify = () => identifyPeople(countCommits(ledger, asOf, rules), rules);
  const community = identify();
  const suppressed = await eraseForgotten(community, ledger, pool);
  if (suppressed === undefined) return { community, suppressed: 0 };
  return { community: identify(), suppressed };
}

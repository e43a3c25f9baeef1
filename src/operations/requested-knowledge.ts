/** Finds the people who know the files of a request, for `who_knows` and for pages. */
import type { KnowingPerson, WhoRequest } from "../contract/people/who-knows.ts";
import { createInvalidRequest, Problem } from "../contract/problem.ts";
import { isLogin } from "../contract/requests.ts";
import {
  activeDays,
  formatUtcDay,
  isRefusal,
  type KnowledgeAnswer,
  type KnowledgeRefusal,
  type KnownPerson,
  type NamedReviewer,
  type PersonKnowledge,
  toKnowingPerson,
  toReviewingPerson,
} from "../knowledge/knowledge.ts";
import { findMeant, type MeantPeople } from "./find-meant.ts";
import type { Modules } from "./operation.ts";

export type KnowledgeAccess = Pick<Modules, "knowledge" | "pool" | "search">;

export interface RequestedKnowledge {
  readonly answer: KnowledgeAnswer;
  readonly asOfDay: number;
  /** Logins of people whom the answer treats as if they had left. */
  readonly leaving: readonly string[];
  /** The people found for each author in the request, in the same order. */
  readonly authors: readonly MeantPeople[];
  /** Logins, in lower case, of people who must not be suggested as reviewers. */
  readonly excluded: readonly string[];
  /** Reviewers must have been active since this UTC day (days since 1970). */
  readonly activeSince: number;
}

/** Answers a request. For a short time, an equal request is answered from memory. @throws Problem */
export async function askKnowledge(
  request: WhoRequest,
  modules: KnowledgeAccess,
  canSeeUnpublished = false,
): Promise<RequestedKnowledge> {
  const { repository, path, paths = [], package: name, asOf, without } = request;
  const requested = [...(path === undefined ? [] : [path]), ...paths];
  const isAboutFiles = repository !== undefined || name !== undefined || requested.length > 0;
  if (!isAboutFiles && !without?.length) {
    throw createInvalidRequest("one of repository, path, paths, package and without must be given");
  }
  if (name !== undefined && requested.length > 0) {
    throw createInvalidRequest(
      "package and path cannot be given together: a package has its own files",
    );
  }
  const { knowledge } = modules;
  const asOfDay = asOf === undefined ? knowledge.today() : readDay(asOf);
  const leaving = without ? await requireLogins(without, modules) : [];
  const find = (field: "authors" | "exclude") =>
    Promise.all(
      (request[field] ?? []).map((one) => findMeant(field, one, { ...modules, canSeeUnpublished })),
    );
  const [authors, others] = [await find("authors"), await find("exclude")];
  const excluded = [...new Set([...authors, ...others].flatMap(({ logins }) => logins))].sort();
  const activeSince = request.activeSince === undefined ? 0 : readDay(request.activeSince);
  const { ignoreLoad = false } = request;
  const answer = await knowledge.ask({
    ...{ repository, paths: requested, package: name, asOfDay },
    without: leaving.map((login) => login.toLowerCase()),
    change: paths.length > 0 ? { excluded, activeSince, ignoreLoad } : undefined,
  });
  if (isRefusal(answer)) throw toKnowledgeProblem(answer);
  return { answer, asOfDay, leaving, authors, excluded, activeSince };
}

/** @package */
export function toKnowledgeProblem({ kind, message, meant }: KnowledgeRefusal): Problem {
  return new Problem(kind === "absent" ? "not_found" : "invalid_request", { message, meant });
}

/** @package @returns the current logins of these people, without duplicates. */
export async function requireLogins(
  logins: readonly string[],
  { pool, search }: Pick<Modules, "pool" | "search">,
): Promise<readonly string[]> {
  const cards = await pool.findCards(logins.map((login) => (isLogin(login) ? login : "")));
  const unknown = logins.find((_, at) => !cards[at]);
  if (unknown !== undefined) {
    const query = { text: unknown, canSeeUnpublished: false, limit: 1, offset: 0 };
    const { hits } = await search.findPeople(query);
    const [near] = (await pool.cards(hits.map(({ rowId }) => rowId))).values();
    const hint = near ? `did you mean "${near.login}"?` : "find people by their names first";
    throw new Problem("not_found", {
      message: `without: nobody has the login "${unknown}"; ${hint}`,
      meant: near && { field: "without", given: unknown, near: near.login },
    });
  }
  return [...new Set(cards.flatMap((card) => card?.login ?? []))].sort();
}

/** @package @returns UTC days since 1970. */
export const readDay = (text: string) => Math.floor(Date.parse(`${text}T00:00:00Z`) / 86_400_000);

/** Reads a page of the people, best first. Leaves out erased people. */
export async function readKnowers(
  requested: RequestedKnowledge,
  { pool, knowledge }: Pick<KnowledgeAccess, "pool" | "knowledge">,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<KnowingPerson[]> {
  const { untilDay } = requested.answer;
  const halfCommits = knowledge.halfCommits();
  const context = { asOfDay: requested.asOfDay, untilDay, halfCommits };
  const reviewers = listReviewers(requested)?.slice(from, from + most);
  if (!reviewers) {
    return describeShown(listStaying(requested).slice(from, from + most), pool, (one, person) =>
      toKnowingPerson(one, person, context),
    );
  }
  const facts = await pool.findFacts(reviewers.map(({ login }) => login));
  const accounts = new Map(facts.map((one) => [one?.login.toLowerCase(), one?.accounts ?? []]));
  return describeShown(reviewers, pool, (reviewer, person) => {
    const own = (accounts.get(reviewer.login) ?? []).map(({ forge, login }) => `${forge}/${login}`);
    return {
      ...toReviewingPerson(reviewer, person, context),
      ...(own.length > 0 && { accounts: own }),
    };
  });
}

/** Reads the first people. Up to a quarter of them are people who have left and know more than those whose places they take. */
export async function readFirstKnowers(
  requested: RequestedKnowledge,
  modules: Pick<KnowledgeAccess, "pool" | "knowledge">,
  most: number,
): Promise<KnowingPerson[]> {
  const ranked = listReviewers(requested) ?? listStaying(requested);
  const shareOf = (at: number) => ranked[at]?.share ?? 0;
  const staying = ranked.filter(({ hasLeft }) => !hasLeft).length;
  let left = Math.max(0, most - staying);
  while (left < Math.floor(most / 4) && shareOf(staying + left) > shareOf(most - left - 1)) left++;
  return [
    ...(await readKnowers(requested, modules, { from: 0, most: most - left })),
    ...(await readKnowers(requested, modules, { from: staying, most: left })),
  ];
}

async function describeShown<One extends { readonly login: string }>(
  ranked: readonly One[],
  pool: Modules["pool"],
  describe: (one: One, person: KnownPerson) => KnowingPerson,
): Promise<KnowingPerson[]> {
  const analyses = await pool.findAnalyses(ranked.map(({ login }) => login));
  return ranked.flatMap((one, at) => {
    const analysis = analyses[at];
    if (!analysis) return [];
    const { login, name } = analysis.profile;
    const emails = analysis.emails.emails.map(({ address }) => address);
    return [describe(one, { login, name, emails })];
  });
}

function listStaying(requested: RankedAnswer): readonly PersonKnowledge[] {
  const { answer, excluded, activeSince } = requested;
  const gone = new Set(excluded);
  return answer.people.filter(
    ({ login, lastWork }, person) =>
      !answer.handover?.leaving.has(person) && !gone.has(login) && lastWork >= activeSince,
  );
}

/** @returns undefined if the request is not about a change. */
function listReviewers({ answer }: RankedAnswer): readonly NamedReviewer[] | undefined {
  const { people, handover, reviewers } = answer;
  const leaving = new Set(
    people.flatMap(({ login }, person) => (handover?.leaving.has(person) ? [login] : [])),
  );
  return reviewers?.filter(({ login }) => !leaving.has(login));
}

type RankedAnswer = Pick<RequestedKnowledge, "answer" | "excluded" | "activeSince">;

export function countKnowers(requested: RankedAnswer): number {
  return (listReviewers(requested) ?? listStaying(requested)).length;
}

/** Counts the people who were active within a year of the end of the history, as `isActive` tells of each. */
export function countActive(requested: RequestedKnowledge): number {
  const since = requested.answer.untilDay - activeDays;
  return listStaying(requested).filter(({ lastWork }) => lastWork >= since).length;
}

export type RankedKnower = Awaited<ReturnType<typeof readRanks>>[number];

interface RanksPage {
  readonly from: number;
  readonly most: number;
  /** Whether the people who were active last come first. Otherwise, those with the largest shares do. */
  readonly isByActivity?: boolean;
}

/** Reads the figures of a page of the people. Leaves out erased people. `lastActive` is an ISO day. */
export async function readRanks(
  requested: RankedAnswer,
  { pool }: Pick<KnowledgeAccess, "pool">,
  { from, most, isByActivity = false }: RanksPage,
) {
  const people = listStaying(requested);
  const ordered = isByActivity ? people.toSorted((a, b) => b.lastWork - a.lastWork) : people;
  const ranked = ordered.slice(from, from + most);
  const cards = await pool.findCards(ranked.map(({ login }) => login));
  return ranked.flatMap(({ share, commits, files, lines, hasLeft, lastWork }, at) => {
    const card = cards[at];
    if (!card) return [];
    const lastActive = formatUtcDay(lastWork);
    const { login, name } = card;
    // As the score of `KnowingPerson`, so that both show the same whole percent.
    const figures = { share: Math.round(share * 1000) / 1000, commits, files, lines, hasLeft };
    return [{ login, name, ...figures, lastActive }];
  });
}

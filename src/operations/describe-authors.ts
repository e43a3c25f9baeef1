/** Describes what the authors of a change did in the repository before. */
import type { ChangeAuthor, WhoData } from "../contract/people/who-knows.ts";
import { formatUtcDay, isHistoryStale } from "../knowledge/knowledge.ts";
import type { KnowledgeAccess, RequestedKnowledge } from "./requested-knowledge.ts";

/** @returns an empty object for a request without authors, or about several repositories. */
export async function describeAuthors(
  { authors: requested, asOfDay, answer: { untilDay, repositories } }: RequestedKnowledge,
  { pool, knowledge }: Pick<KnowledgeAccess, "pool" | "knowledge">,
  canSeeUnpublished: boolean,
): Promise<Pick<WhoData, "authors" | "historyStart">> {
  const [repository, other] = repositories;
  if (requested.length === 0 || !repository || other) return {};
  const logins = requested.map(({ logins: [login = "", ...others] }) => (others[0] ? "" : login));
  const question = { repository: repository.id, logins, asOfDay, untilDay };
  const measured = await knowledge.measureAuthors(question);
  if (!measured) return {};
  const { isWhole, firstDay = untilDay } = measured;
  const isComplete = isWhole === true && !isHistoryStale(question);
  // After an erasure no author is called new, because an erased person must look like an unknown person.
  const findsAll = canSeeUnpublished && (await pool.erasing.receipts()).length === 0;
  const facts = await pool.findFacts(logins);
  const authors = requested.map(({ text: given, ...meant }, at): ChangeAuthor => {
    const [found, did] = [facts[at], measured.authors[at]];
    if (!found || !did) {
      // An unknown address means an unknown person. An unknown account may still belong to a known person.
      const isNobody = given.includes("@", 1) && meant.logins.length === 0;
      const isNew = isComplete && findsAll && isNobody;
      return { given, standing: botName.test(given) ? "bot" : isNew ? "new" : "unknown" };
    }
    const { login, profile, class: kind = "human" } = found;
    const shown = { given, login, ...(profile.name && { name: profile.name }) };
    if (kind === "bot" || kind === "assistant") return { ...shown, standing: kind };
    const { isNamed, work, folders } = did;
    const isByName = meant.isByName && { isByName: true };
    if (!isNamed)
      return { ...shown, ...isByName, standing: isComplete && !isByName ? "new" : "unknown" };
    const { commits = 0, assisted = 0, reviews = 0, first = 0 } = work ?? {};
    return {
      ...{ ...shown, ...isByName, standing: "known", commits, assisted, reviews },
      ...(first > 0 && { first: formatUtcDay(first) }),
      folders: folders.map(({ path, share }) => ({ path, share: Math.round(share * 1000) / 1000 })),
    };
  });
  const isFirst = ({ login, given }: ChangeAuthor, at: number) =>
    at === authors.findIndex((one) => (login ? one.login === login : one.given === given));
  const start = isWhole === false && { historyStart: formatUtcDay(firstDay) };
  return { authors: authors.filter(isFirst), ...start };
}

/** Forges end the names of bot accounts with `[bot]`. */
const botName = /\[bot\]\s*(?:<|@|$)/i;

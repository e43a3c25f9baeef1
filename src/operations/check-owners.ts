/** Checks a repository's ownership files against its tree and history, for `owners check`. */
import { formatFindingKey, type OwnersFinding } from "../contract/people/owners-finding.ts";
import { formatOwnerWord, type PresentOwners } from "../contract/people/owners-proposal.ts";
import { findUnmatchedRules } from "../knowledge/knowledge.ts";
import type { OwnersAdvice } from "./propose-owners.ts";

/** @param isJudged whether enough history is known to judge owners and folders. @returns findings, ordered by file and line. */
export async function checkOwners(
  present: PresentOwners,
  { otherRules, propose }: OwnersAdvice,
  isJudged: boolean,
): Promise<readonly OwnersFinding[]> {
  const rules = [...present.rules, ...otherRules];
  const { changes, unowned } = isJudged
    ? await propose({ ...present, rules })
    : { changes: [], unowned: [] };
  const unmatched = findUnmatchedRules(present.rules, present.paths);
  const found = [
    ...present.ignored.map(({ reason, ...at }): OwnersFinding => {
      return { kind: "line-ignored", ...at, message: `Ignored: ${reason}.` };
    }),
    ...unmatched.map(({ file, line, pattern }): OwnersFinding => {
      const message = "No file matches this pattern.";
      return { kind: "rule-unmatched", file, line, pattern, message };
    }),
    ...changes.flatMap(({ rule: { form, file, line, pattern: stated }, gone }) =>
      gone.map(({ owner, reason, hasLeft }): OwnersFinding => {
        const why = hasLeft ? reason : `${reason}; at least five people know them better`;
        const message = `${why.replace(/^no work/, "No known work").replace(/^n/, "N")}.`;
        const pattern = form === "folder" ? `/${stated}` : stated;
        const kind = hasLeft ? "owner-left" : "owner-stale";
        return { kind, file, line, pattern, owner: formatOwnerWord(owner), message };
      }),
    ),
    ...unowned.map(({ folder, owners }): OwnersFinding => {
      const known = owners.map(
        (one) => `${one.word ?? one.name} (${Math.round(one.share * 100)} %)`,
      );
      const message = `No rule covers it. Known best by ${known.join(", ")}.`;
      const file = rules[0]?.file ?? present.file;
      return { kind: "folder-unowned", file, line: 1, pattern: `/${folder}/`, message };
    }),
  ];
  const orderOf = (one: OwnersFinding) =>
    `${one.file}\0${String(one.line).padStart(9, "0")}${formatFindingKey(one)}`;
  return found.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

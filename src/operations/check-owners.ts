/** Checks a repository's ownership files against its tree and history. For the command line, which has the files. */
import { cleanForComment, quoteForComment } from "../contract/foreign-text.ts";
import {
  type FindingIdentity,
  formatFindingKey,
  type OwnersFinding,
  ownersFindings,
} from "../contract/people/owners-finding.ts";
import {
  formatOwnerWord,
  type OwnersProposal,
  type PresentOwners,
} from "../contract/people/owners-proposal.ts";
import { findUnmatchedRules } from "../knowledge/knowledge.ts";
import { writeTable } from "./knowledge-comment.ts";
import type { OwnersAdvice } from "./propose-owners.ts";

/** What a check found, compared with a baseline. */
export interface OwnersReport {
  readonly repository: string;
  /** The commit that was checked, and the ISO day up to which history was read. */
  readonly head: string;
  readonly asOf: string;
  /** Whether owners and folders were judged, which takes the whole history. */
  readonly isJudged: boolean;
  /** Those that the baseline does not have. */
  readonly findings: readonly OwnersFinding[];
  /** How many the baseline has, and which of its findings are found no more. */
  readonly accepted: number;
  readonly fixed: readonly FindingIdentity[];
}

/** @returns findings in the order of files and lines. */
export async function checkOwners(
  present: PresentOwners,
  { otherRules, propose }: Pick<OwnersAdvice, "otherRules" | "propose">,
  { isJudged }: Pick<OwnersReport, "isJudged">,
): Promise<readonly OwnersFinding[]> {
  const rules = [...present.rules, ...otherRules];
  // An OWNERS file holds for the folder that it is in.
  const patterns = rules.filter(({ form }) => form !== "folder");
  const message = "No file matches this pattern.";
  const found = [
    ...present.ignored.map(
      ({ reason, ...place }): OwnersFinding => ({
        ...{ kind: "line-ignored", ...place, message: `Ignored: ${reason}.` },
      }),
    ),
    ...findUnmatchedRules(patterns, present.paths).map(
      ({ file, line, pattern }): OwnersFinding => ({
        ...{ kind: "rule-unmatched", file, line, pattern, message },
      }),
    ),
    ...(isJudged ? listJudged(await propose({ ...present, rules }), rules[0]?.file ?? "") : []),
  ];
  const orderOf = (one: OwnersFinding) =>
    `${one.file}\0${String(one.line).padStart(9, "0")}${formatFindingKey(one)}`;
  return found.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** What a proposal would change of the files. */
function listJudged({ changes, unowned }: OwnersProposal, first: string): readonly OwnersFinding[] {
  return [
    ...changes.flatMap(({ rule: { form, file, line, pattern: stated }, gone }) =>
      gone.map(({ owner, reason, hasLeft }): OwnersFinding => {
        const why = hasLeft ? reason : `${reason}; at least five people know them better`;
        const message = `${why.replace(/^no work/, "No known work").replace(/^n/, "N")}.`;
        const kind = hasLeft ? "owner-left" : "owner-stale";
        const pattern = form === "folder" ? `/${stated}` : stated;
        return { kind, file, line, pattern, owner: formatOwnerWord(owner), message };
      }),
    ),
    ...unowned.map(({ folder, owners }): OwnersFinding => {
      const known = owners.map(
        ({ word, name, share }) => `${word ?? name} (${Math.round(share * 100)} %)`,
      );
      const message = `No rule covers it. Known best by ${known.join(", ")}.`;
      return { kind: "folder-unowned", file: first, line: 1, pattern: `/${folder}/`, message };
    }),
  ];
}

/** A comment on GitHub has 65,536 letters at most. */
const rowsMax = 100;

/** Lines of Markdown for a comment on a forge. Nothing of third parties acts in it. */
export function writeOwnersComment(report: OwnersReport): readonly string[] {
  const { repository, asOf, isJudged, findings, accepted, fixed } = report;
  const rows = findings.map(({ kind, file, line, pattern, owner = "", message }) => [
    quoteForComment(`${file}:${line}`),
    `${ownersFindings[kind][0]}: ${quoteForComment(`${pattern} ${owner}`)}`,
    cleanForComment(message),
  ]);
  const left = Math.max(0, rows.length - rowsMax);
  const notes = [
    ...(left > 0 ? [`${left} more are not shown.`] : []),
    `The baseline has ${accepted} more, and ${fixed.length} that were fixed.`,
    ...(isJudged ? [] : ["Owners and folders were not checked: that takes the whole history."]),
    `As of ${asOf}, by Roster.`,
  ];
  return [
    `### Ownership files: ${rows.length} new ${rows.length === 1 ? "finding" : "findings"}`,
    "",
    `<p>In ${quoteForComment(repository)}.</p>`,
    ...(rows.length > 0 ? writeTable(["Line", "Finding", "Why"], rows.slice(0, rowsMax)) : []),
    `<p>${notes.join(" ")}</p>`,
  ];
}

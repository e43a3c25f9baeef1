/** Reads and writes the accepted findings of `owners check`. The file has one finding a line, for easy review. */
import { readFileSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import {
  type FindingIdentity,
  formatFindingKey,
  type OwnersFinding,
} from "../../../contract/people/owners-finding.ts";
import { writeAtomically } from "../write-file.ts";

/** @returns undefined if the file does not exist. @throws Fault if the file is not a baseline. */
export function readBaseline(path: string): readonly FindingIdentity[] | undefined {
  try {
    const { version, findings } = JSON.parse(readFileSync(path, "utf8"));
    if (version === 1 && Array.isArray(findings) && findings.every(isIdentity)) return findings;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new Fault("refused", `${path} is not a baseline that \`roster owners check\` wrote.`);
}

/** Whether a value is the identity of a finding. Unknown kinds are allowed, because other versions of Roster write them. */
function isIdentity({ kind, file, pattern, owner = "" }: Record<string, unknown>): boolean {
  return [kind, file, pattern, owner].every((text) => typeof text === "string");
}

/** Compares findings with the baseline. `remaining` are the accepted findings that this run could not check. */
export function compareBaseline(
  found: readonly OwnersFinding[],
  before: readonly FindingIdentity[],
  isJudged: boolean,
) {
  const [known, keys] = [before, found].map((all) => new Set(all.map(formatFindingKey)));
  const findings = found.filter((one) => !known?.has(formatFindingKey(one)));
  const gone = before.filter((one) => !keys?.has(formatFindingKey(one)));
  const isOpen = ({ kind }: FindingIdentity) => !isJudged && /^(owner|folder)-/.test(kind);
  const [remaining, fixed] = [gone.filter(isOpen), gone.filter((one) => !isOpen(one))];
  return { findings, accepted: found.length - findings.length, fixed, remaining };
}

export function writeBaseline(path: string, accepted: readonly FindingIdentity[]): number {
  const toLine = ({ kind, file, pattern, owner }: FindingIdentity) =>
    `    ${JSON.stringify({ file, kind, pattern, owner })}`;
  const lines = [...new Set(accepted.map(toLine))].sort();
  const list = lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `;
  writeAtomically(path, `{\n  "version": 1,\n  "findings": [${list}]\n}\n`);
  return lines.length;
}

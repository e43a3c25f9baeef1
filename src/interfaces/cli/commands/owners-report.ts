/** Prints the findings of `owners check` as a table, JSON, Markdown or SARIF 2.1.0. */
import { cleanForComment, quoteForComment } from "../../../contract/foreign-text.ts";
import { formatCounted } from "../../../contract/format.ts";
import {
  type FindingIdentity,
  formatFindingKey,
  type OwnersFinding,
  ownersFindings,
} from "../../../contract/people/owners-finding.ts";
import { writeTable } from "../../../operations/knowledge-comment.ts";
import { printTable } from "../table.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface OwnersReport {
  readonly repository: string;
  /** The commit that was checked. */
  readonly head: string;
  readonly asOf: string;
  readonly isJudged: boolean;
  /** Findings that are not in the baseline. */
  readonly findings: readonly OwnersFinding[];
  readonly accepted: number;
  readonly fixed: readonly FindingIdentity[];
}

export const reportForms = ["text", "json", "markdown", "sarif"] as const;

export function printReport(
  terminal: Terminal,
  report: OwnersReport,
  { form, version }: { readonly form: (typeof reportForms)[number]; readonly version: string },
): void {
  if (form === "json") printJson(terminal, report, 2);
  else if (form === "sarif") printJson(terminal, toSarif(report.findings, version), 2);
  else if (form === "markdown") terminal.result(...toComment(report));
  else printText(terminal, report);
}

function printText(terminal: Terminal, { findings, accepted, fixed }: OwnersReport): void {
  const rows = findings.map(({ kind, file, line, pattern, owner = "", message }) => [
    ...[`${file}:${line}`, kind, pattern, owner, message],
  ]);
  if (rows.length > 0) printTable(terminal, ["line", "finding", "rule", "owner", "why"], rows);
  const known = accepted > 0 ? `, ${accepted} in the baseline` : "";
  terminal.note(`${formatCounted(rows.length, "new finding")}${known}`);
  for (const { kind, file, pattern, owner = "" } of fixed)
    terminal.note(`Fixed, --write-baseline removes it: ${kind} ${file} ${pattern} ${owner}`);
}

/** The most rows in a comment, because GitHub allows only 65,536 characters. */
const rowsMax = 100;

function toComment(report: OwnersReport): readonly string[] {
  const { repository, asOf, isJudged, findings, accepted, fixed } = report;
  const rows = findings.map(({ kind, file, line, pattern, owner = "", message }) => [
    ...[`${file}:${line}`, kind, `${pattern} ${owner}`].map((text) => quoteForComment(text)),
    cleanForComment(message),
  ]);
  const headings = ["Line", "Finding", "Rule", "Why"];
  const unjudged = "Owners and folders were not checked, since that takes the whole history. ";
  const state = `${isJudged ? "" : unjudged}In the baseline: ${accepted}. Fixed: ${fixed.length}.`;
  return [
    `### Ownership files: ${formatCounted(rows.length, "new finding")}`,
    "",
    ...(rows.length > 0 ? writeTable(headings, rows.slice(0, rowsMax)) : []),
    `<p>${quoteForComment(repository)} as of ${asOf}, by Roster. ${state}</p>`,
  ];
}

function toSarif(findings: readonly OwnersFinding[], version: string) {
  const rules = Object.entries(ownersFindings).map(([id, text]) => ({
    ...{ id, shortDescription: { text: text.replace(/[:.,] .*/s, ".") } },
    ...{ fullDescription: { text }, help: { text } },
  }));
  const results = findings.map((finding) => {
    const { kind, file, line, pattern, owner = "", message } = finding;
    const uri = file.split("/").map(encodeURIComponent).join("/");
    const location = { artifactLocation: { uri }, region: { startLine: line } };
    const text = `${pattern}${owner && ` ${owner}`}: ${message}`;
    const key = new Bun.CryptoHasher("sha256").update(formatFindingKey(finding)).digest("hex");
    return {
      ...{ ruleId: kind, ruleIndex: rules.findIndex(({ id }) => id === kind), level: "warning" },
      // Removes the `@` of names, because code scanning may show the message as a comment, and `@name` notifies people.
      message: { text: text.replace(/(?<![\w.+-])@(?=\w)/g, "") },
      locations: [{ physicalLocation: location }],
      // GitHub recognizes a known finding by this fingerprint.
      partialFingerprints: { primaryLocationLineHash: key },
    };
  });
  const tool = { driver: { name: "Roster", version, rules } };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return { $schema, version: "2.1.0", runs: [{ tool, results }] };
}

/** Prints what `owners check` found: a table, JSON, Markdown, or SARIF 2.1.0 for code scanning. */
import {
  type FindingIdentity,
  formatFindingKey,
  ownersFindings,
} from "../../../contract/people/owners-finding.ts";
import { type OwnersReport, writeOwnersComment } from "../../../operations/check-owners.ts";
import { printTable } from "../table.ts";
import { printJson, type Terminal } from "../terminal.ts";

export const reportForms = ["text", "json", "markdown", "sarif"] as const;

export function printReport(
  terminal: Terminal,
  report: OwnersReport,
  { form, version }: { readonly form: (typeof reportForms)[number]; readonly version: string },
): void {
  if (form === "json") printJson(terminal, report, 2);
  else if (form === "sarif") printJson(terminal, toSarif(report, version), 2);
  else if (form === "markdown") terminal.result(...writeOwnersComment(report));
  else printText(terminal, report);
}

function printText(terminal: Terminal, { findings, accepted, fixed }: OwnersReport): void {
  const rows = findings.map(({ kind, file, line, pattern, owner = "", message }) => [
    ...[`${file}:${line}`, kind, pattern, owner, message],
  ]);
  if (rows.length > 0) printTable(terminal, ["line", "finding", "rule", "owner", "why"], rows);
  const known = accepted > 0 ? `, ${accepted} in the baseline` : "";
  terminal.note(`${rows.length} new ${rows.length === 1 ? "finding" : "findings"}${known}`);
  for (const { kind, file, pattern, owner = "" } of fixed)
    terminal.note(`Fixed, --write-baseline removes it: ${kind} ${file} ${pattern} ${owner}`);
}

function toSarif({ findings }: OwnersReport, version: string) {
  const rules = Object.entries(ownersFindings).map(([id, [title, help]]) => ({
    ...{ id, shortDescription: { text: title }, fullDescription: { text: help } },
    ...{ help: { text: help }, properties: { tags: ["ownership"] } },
  }));
  const results = findings.map((finding) => {
    const { kind, file, line, pattern, owner = "", message } = finding;
    const uri = file.split("/").map(encodeURIComponent).join("/");
    const region = { startLine: line };
    return {
      ...{ ruleId: kind, ruleIndex: rules.findIndex(({ id }) => id === kind), level: "warning" },
      message: { text: withoutMentions(`${pattern} ${owner}: ${message}`.replace(" :", ":")) },
      locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
      // The only one by which GitHub knows a finding again.
      partialFingerprints: { primaryLocationLineHash: hash(finding) },
    };
  });
  const tool = { driver: { name: "Roster", version, rules } };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return { $schema, version: "2.1.0", runs: [{ tool, results }] };
}

/** A service may show a message as a comment, where an @ notifies people. */
function withoutMentions(text: string): string {
  return text.replace(/(?<![\w.+-])@(?=\w)/g, "");
}

function hash(finding: FindingIdentity): string {
  return new Bun.CryptoHasher("sha256").update(formatFindingKey(finding)).digest("hex");
}

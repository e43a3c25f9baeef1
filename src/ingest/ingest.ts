/**
 * Sources of people: git history and JSONL files. All of one run becomes visible at one moment, or
 * nothing of it, and a second run of the same input changes nothing.
 */
export { demoAsOf, loadDemo } from "./demo.ts";
export {
  createIdentityOverview,
  findKeptIdentity,
  type IdentityDecision,
  type IdentityOverview,
  type KeptAuthorIdentity,
  type KnownIdentity,
  listAuthorIdentities,
} from "./git/identity/identity-overview.ts";
export { type OperatorFiles, readOperatorFiles } from "./git/identity/operator-files.ts";
export { type GitIngest, type GitIngestReport, ingestGit } from "./git/ingest-git.ts";
export { type KnownClone, type Ledger, ledgerFile, openLedger } from "./git/ledger/ledger.ts";
export type { RepositorySummary } from "./git/people/count-people.ts";
export type { GitProgress, ReadStatus } from "./git/read-clones.ts";
export {
  createFactsJsonSchema,
  type ExportOptions,
  type ExportSummary,
  exportFile,
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
  importFile,
  type RejectedLine,
} from "./jsonl/jsonl.ts";
export { createJudge, type Judge } from "./judge.ts";
export {
  findLastAsOf,
  type RescoreOptions,
  type RescoreReport,
  rescore,
  type ScoreMove,
} from "./rescore.ts";

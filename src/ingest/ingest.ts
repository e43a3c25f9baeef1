/**
 * Sources of developers: git histories and JSONL files. A run becomes visible as a whole or not at all, and
 * a second run over the same input changes nothing.
 */
export { demoAsOf, loadDemo, readDemoPool } from "./demo.ts";
export { toForgeName } from "./forges/adapters/open-forge.ts";
export type { ForgeKind, ForgeSelection } from "./forges/forge.ts";
export type { ForgeLedger, ForgeSource, KnownSource } from "./forges/forge-ledger.ts";
export {
  type ForgeIngest,
  type ForgeIngestReport,
  forgetForge,
  ingestForge,
  toSubject,
  tryForge,
} from "./forges/ingest-forge.ts";
export { checkForgeContent, forgesFile, openForgeLedger } from "./forges/sqlite-forge-ledger.ts";
export type { WalkProgress } from "./forges/walk-source.ts";
export type { IdentityDecision } from "./git/identity/identity-decider.ts";
export {
  createIdentityOverview,
  findKeptIdentity,
  type IdentityOverview,
  type KeptAuthorIdentity,
  listAuthorIdentities,
} from "./git/identity/identity-overview.ts";
export type { KnownIdentity } from "./git/identity/known-identity.ts";
export { readOperatorFiles } from "./git/identity/operator-files.ts";
export type { OperatorFiles } from "./git/identity/rules.ts";
export { checkLedgerContent } from "./git/ledger/check-content.ts";
export type { KnownClone, Ledger } from "./git/ledger/ledger.ts";
export { ledgerFile, openLedger } from "./git/ledger/sqlite-ledger.ts";
export { type GitIngest, ingestGit } from "./git/pipeline.ts";
export type { GitProgress, ReadStatus } from "./git/read-repositories.ts";
export type { GitIngestReport, RepositorySummary } from "./git/report.ts";
export {
  createFactsJsonSchema,
  type ExportOptions,
  type ExportSummary,
  exportFile,
} from "./jsonl/export-file.ts";
export {
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
  importFile,
} from "./jsonl/import-file.ts";
export { createJudge, type Judge } from "./judge.ts";
export {
  ingestPeople,
  type PeopleIngest,
  type PeopleSummary,
  removePeopleSource,
} from "./people/ingest-people.ts";
export type { PeopleFormat } from "./people/read-people-file.ts";
export { compareRecount, isRecountDue, type RecountChanges } from "./recount.ts";
export type { RejectedLine } from "./refusal.ts";
export {
  findLastAsOf,
  type RescoreOptions,
  type RescoreReport,
  rescore,
  type ScoreMove,
} from "./rescore.ts";

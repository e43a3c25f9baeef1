/**
 * Sources of developers: git histories and JSONL files. A run becomes visible as a whole or not at all, and
 * a second run over the same input changes nothing. What runs need is imported when one begins: a server's start, which
 * runs none, does not wait for it.
 */
export { demoAsOf, loadDemo, readDemoPool } from "./demo.ts";
export type { ForgeSelection } from "./forges/forge.ts";
export {
  type ForgeLedger,
  type ForgeSource,
  type KnownSource,
  toForgeName,
  toSubject,
} from "./forges/forge-ledger.ts";
export type { ForgeIngest, ForgeIngestReport } from "./forges/ingest-forge.ts";
export { type KnownForge, knownForges } from "./forges/known-forges.ts";
export { checkForgeContent, forgesFile, openForgeLedger } from "./forges/sqlite-forge-ledger.ts";
export type { WalkProgress } from "./forges/walk-source.ts";
export type { IdentityDecision } from "./git/identity/identity-decider.ts";
export type { IdentityOverview, KeptAuthorIdentity } from "./git/identity/identity-overview.ts";
export type { KnownIdentity } from "./git/identity/known-identity.ts";
export { readOperatorFiles } from "./git/identity/operator-files.ts";
export type { OperatorFiles } from "./git/identity/rules.ts";
export { checkLedgerContent } from "./git/ledger/check-content.ts";
export type { KnownClone, Ledger } from "./git/ledger/ledger.ts";
export { ledgerFile, openLedger } from "./git/ledger/sqlite-ledger.ts";
export type { GitIngest } from "./git/pipeline.ts";
export type { GitProgress, ReadStatus } from "./git/read-repositories.ts";
export type { GitIngestReport, RepositorySummary } from "./git/report.ts";
export type { ExportOptions, ExportSummary } from "./jsonl/export-file.ts";
export type { ImportOptions, ImportProgress, ImportSummary } from "./jsonl/import-file.ts";
export { createJudge, type Judge } from "./judge.ts";
export { columns as peopleColumns } from "./people/columns.ts";
export type { PeopleIngest, PeopleSummary } from "./people/ingest-people.ts";
export type { PeopleFormat, PeopleReading } from "./people/read-people-file.ts";
export { startGroup } from "./process-group.ts";
export type { RecountChanges } from "./recount.ts";
export type { RejectedLine } from "./refusal.ts";
export type { RescoreOptions, RescoreReport, ScoreMove } from "./rescore.ts";

const late = {
  export: () => import("./jsonl/export-file.ts"),
  forge: () => import("./forges/ingest-forge.ts"),
  git: () => import("./git/pipeline.ts"),
  identity: () => import("./git/identity/identity-overview.ts"),
  import: () => import("./jsonl/import-file.ts"),
  people: () => import("./people/ingest-people.ts"),
  recount: () => import("./recount.ts"),
  rescore: () => import("./rescore.ts"),
};

export const {
  exportFile,
  createFactsJsonSchema,
  ingestForge,
  forgetForge,
  tryForge,
  ingestGit,
  createIdentityOverview,
  findKeptIdentity,
  listAuthorIdentities,
  importFile,
  ingestPeople,
  removePeopleSource,
  compareRecount,
  isRecountDue,
  findLastAsOf,
  rescore,
} = {
  exportFile: runLate(async () => (await late.export()).exportFile),
  createFactsJsonSchema: runLate(async () => (await late.export()).createFactsJsonSchema),
  ingestForge: runLate(async () => (await late.forge()).ingestForge),
  forgetForge: runLate(async () => (await late.forge()).forgetForge),
  tryForge: runLate(async () => (await late.forge()).tryForge),
  ingestGit: runLate(async () => (await late.git()).ingestGit),
  createIdentityOverview: runLate(async () => (await late.identity()).createIdentityOverview),
  findKeptIdentity: runLate(async () => (await late.identity()).findKeptIdentity),
  listAuthorIdentities: runLate(async () => (await late.identity()).listAuthorIdentities),
  importFile: runLate(async () => (await late.import()).importFile),
  ingestPeople: runLate(async () => (await late.people()).ingestPeople),
  removePeopleSource: runLate(async () => (await late.people()).removePeopleSource),
  compareRecount: runLate(async () => (await late.recount()).compareRecount),
  isRecountDue: runLate(async () => (await late.recount()).isRecountDue),
  findLastAsOf: runLate(async () => (await late.rescore()).findLastAsOf),
  rescore: runLate(async () => (await late.rescore()).rescore),
};

/** @returns a function that imports the given one when it is called. */
function runLate<Given extends readonly unknown[], Result>(
  load: () => Promise<(...given: Given) => Result | Promise<Result>>,
): (...given: Given) => Promise<Result> {
  return async (...given) => (await load())(...given);
}

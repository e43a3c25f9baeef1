/**
 * The sources of developers: git, forges, JSONL files, people files, the demo. A run becomes visible as a whole or not at all,
 * and a second run over the same input changes nothing. Modules that only runs need are imported when a run begins, so that a
 * server starts faster.
 */
export { chooseJobs } from "./choose-jobs.ts";
export { demoAsOf, loadDemo, readDemoPool } from "./demo.ts";
export type { ForgeSelection } from "./forges/forge.ts";
export { checkForgeContent, type FrozenForges, freezeForges } from "./forges/forge-content.ts";
export {
  type ForgeLedger,
  type KnownSource,
  toForgeName,
  toSubject,
} from "./forges/forge-ledger.ts";
export { type KnownForge, knownForges } from "./forges/known-forges.ts";
export { type ForgeSource, type KnownSource, listSources, toForgeName } from "./forges/sources.ts";
export type { WalkProgress } from "./forges/walk-source.ts";
export type { Whereabouts } from "./git/forget-people.ts";
export type { IdentityDecision } from "./git/identity/identity-decider.ts";
export type { IdentityOverview, KeptAuthorIdentity } from "./git/identity/identity-overview.ts";
export type { KnownIdentity, KnownJoin } from "./git/identity/known-identity.ts";
export { readOperatorFiles } from "./git/identity/operator-files.ts";
export type { OperatorFiles } from "./git/identity/rules.ts";
export { checkLedgerContent } from "./git/ledger/check-content.ts";
export type { KnownClone, Ledger } from "./git/ledger/ledger.ts";
export { countOutdated } from "./git/ledger/recognise.ts";
export { ledgerFile, openLedger } from "./git/ledger/sqlite-ledger.ts";
export type { GitIngest } from "./git/pipeline.ts";
export type { GitProgress } from "./git/read-progress.ts";
export type { GitIngestReport, RepositorySummary } from "./git/report.ts";
export type { ImportOptions, ImportSummary } from "./jsonl/import-file.ts";
export { createJudge, type Judge } from "./judge.ts";
export { describeOtherModel, isOfEarlierVersion } from "./judge-others.ts";
export { columns as peopleColumns } from "./people/columns.ts";
export type { PeopleSummary } from "./people/ingest-people.ts";
export type { PeopleFormat, PeopleReading } from "./people/read-people-file.ts";
export { startGroup } from "./process-group.ts";
export type { RejectedLine } from "./refusal.ts";
export type { RescoreReport, ScoreMove } from "./rescore.ts";

export const { exportFile, createFactsJsonSchema } = importLate(
  () => import("./jsonl/export-file.ts"),
);
export const { findCommonFolder } = importLate(() => import("./git/repository/view.ts"));
export const { readBranchChange } = importLate(() => import("./git/branch-change.ts"));
export const { ingestForge, forgetForge, tryForge } = importLate(
  () => import("./forges/ingest-forge.ts"),
);
export const { eraseFromForges, eraseFromLedger } = importLate(
  () => import("./git/forget-people.ts"),
);
export const { ingestGit } = importLate(() => import("./git/pipeline.ts"));
export const { createIdentityOverview, findKeptIdentity, listAuthorIdentities } = importLate(
  () => import("./git/identity/identity-overview.ts"),
);
export const { watchApplied } = importLate(() => import("./git/watch-applied.ts"));
export const { proposeOwnersFile, readPresentOwners } = importLate(
  () => import("./git/ownership/propose-file.ts"),
);
export const { proposeMailmap } = importLate(() => import("./git/mailmap/propose-mailmap.ts"));
export const { importFile } = importLate(() => import("./jsonl/import-file.ts"));
export const { ingestPeople, removePeopleSource } = importLate(
  () => import("./people/ingest-people.ts"),
);
export const { compareRecount, isRecountDue } = importLate(() => import("./recount.ts"));
export const { findLastAsOf, rescore } = importLate(() => import("./rescore.ts"));

type Late<Export> = Export extends (...given: infer Given) => infer Result
  ? (...given: Given) => Promise<Awaited<Result>>
  : never;

/** @returns functions of a module by their names, each of which imports the module when it is called. */
function importLate<Module extends object>(
  load: () => Promise<Module>,
): { readonly [Name in keyof Module]: Late<Module[Name]> } {
  const get =
    (_: unknown, name: string) =>
    async (...given: readonly unknown[]) => {
      const module = (await load()) as Record<string, (...given: readonly unknown[]) => unknown>;
      return module[name]?.(...given);
    };
  return new Proxy({}, { get }) as never;
}

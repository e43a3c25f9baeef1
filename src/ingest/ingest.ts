/**
 * Reads the sources of developers: git, forges, JSONL files, people files, the demo. A run is stored completely or not at all.
 * The modules for runs are imported only when a run begins.
 */
export { chooseJobs } from "./choose-jobs.ts";
export { demoAsOf, loadDemo, readDemoPool } from "./demo.ts";
export type { ForgeSelection } from "./forges/forge.ts";
export { checkForgeContent, type FrozenForges, freezeForges } from "./forges/forge-content.ts";
export {
  type ForgeLedger,
  forgesFile,
  openForgeLedger,
  readForgesState,
} from "./forges/forge-ledger.ts";
export { type KnownForge, knownForges } from "./forges/known-forges.ts";
export { findRepositoryName } from "./forges/repositories.ts";
export { type KnownSource, listSources, toForgeName } from "./forges/sources.ts";
export type { WalkProgress } from "./forges/walk-source.ts";
export { checkLedgerContent } from "./git/check-ledger.ts";
export type { IdentityDecision } from "./git/decide/identity-decider.ts";
export type { IdentityOverview, StoredAuthorIdentity } from "./git/decide/identity-overview.ts";
export type { KnownIdentity, KnownJoin } from "./git/decide/known-identity.ts";
export { readIdentified } from "./git/identify/identified-people.ts";
export { readOperatorFiles } from "./git/identify/operator-files.ts";
export type { OperatorFiles } from "./git/identify/rules.ts";
export { readApplied } from "./git/ledger/applied.ts";
export { type Ledger, ledgerFile, openLedger } from "./git/ledger/ledger.ts";
export { type KnownClone, listLocations, readLocationsAgain } from "./git/ledger/locations.ts";
export { countOutdated } from "./git/ledger/recognise.ts";
export type { GitIngest } from "./git/pipeline.ts";
export type { GitProgress } from "./git/read/read-progress.ts";
export { type GitIngestReport, type RepositorySummary, readSummary } from "./git/report.ts";
export {
  findRepositories,
  findRepositoryIn,
  isRepository,
} from "./git/repository/find-repositories.ts";
export type { CopyOf } from "./git/tally/tally.ts";
export type { ForgeIngest, ForgeIngestReport } from "./ingest-forge.ts";
export type { ImportOptions, ImportSummary } from "./jsonl/import-file.ts";
export { createJudge, type Judge } from "./judge.ts";
export { describeOtherModel, isOfEarlierVersion } from "./judge-others.ts";
export { getAddressHome, listAddressMirrors } from "./mirrors/address-mirrors.ts";
export type { AddressRequest } from "./mirrors/fetch-addresses.ts";
export { getMirrorHome } from "./mirrors/mirror-repositories.ts";
export { columns as peopleColumns } from "./people/columns.ts";
export type { PeopleSummary, PlannedRow } from "./people/ingest-people.ts";
export type { PeopleFormat, PeopleReading } from "./people/read-people-file.ts";
export type { SourceFinding } from "./probe/probe-address.ts";
export type { RejectedLine } from "./refusal.ts";
export type { RescoreReport, ScoreMove } from "./rescore.ts";

export const { exportFile, createFactsJsonSchema } = importLate(
  () => import("./jsonl/export-file.ts"),
);
export const { findCommonFolder } = importLate(() => import("./git/repository/view.ts"));
export const { readBranchChange } = importLate(() => import("./git/branch-change.ts"));
export const { ingestForge, ingestMirrors, forgetForge, tryForge } = importLate(
  () => import("./ingest-forge.ts"),
);
export const { eraseFromForges, eraseFromLedger } = importLate(
  () => import("./git/erase/forget-people.ts"),
);
export const { fetchAddresses, fetchNamed, removeMirrors } = importLate(
  () => import("./mirrors/fetch-addresses.ts"),
);
export const { ingestGit } = importLate(() => import("./git/pipeline.ts"));
export const { createIdentityOverview, recordDecision, findStoredIdentity, listAuthorIdentities } =
  importLate(() => import("./git/decide/identity-overview.ts"));
export const { proposeOwnersFile, readPresentOwners } = importLate(
  () => import("./git/ownership/propose-file.ts"),
);
export const { proposeMailmap } = importLate(() => import("./git/mailmap/propose-mailmap.ts"));
export const { importFile } = importLate(() => import("./jsonl/import-file.ts"));
export const { ingestPeople, removePeopleSource } = importLate(
  () => import("./people/ingest-people.ts"),
);
export const { probeAddress } = importLate(() => import("./probe/probe-address.ts"));
export const { compareRecount, isRecountPending } = importLate(() => import("./recount.ts"));
export const { findLastAsOf, rescore } = importLate(() => import("./rescore.ts"));

type Late<Export> = Export extends (...given: infer Given) => infer Result
  ? (...given: Given) => Promise<Awaited<Result>>
  : never;

/** @returns the functions of a module by name. Each function imports the module at its first call. */
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

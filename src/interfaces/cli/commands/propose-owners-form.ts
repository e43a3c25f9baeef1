/** Prints a proposed change of CODEOWNERS as a diff. */
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { WhoRequest } from "../../../contract/people/who-knows.ts";
import { readInput } from "../../../contract/read.ts";
import {
  type KnownClone,
  listLocations,
  listSources,
  proposeOwnersFile,
  readIdentified,
  readSummary,
} from "../../../ingest/ingest.ts";
import { openOwnersAdvice } from "../../../operations/propose-owners.ts";
import type { AnswerForm } from "../answer-operation.ts";
import { type AnswerSource, addRepository, openAnswers } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { toFlag } from "../setting-options.ts";
import { noteAll } from "../terminal.ts";

const rowsMaxDefault = 30;

const fields = new Set(["repository", "asOf", "activeSince", "without", "limit"]);

export const codeOwnersForm: AnswerForm = {
  about: "a diff that changes the repository's CODEOWNERS file",
  async print(input, from, context) {
    if (from.flags["json"]) throw createUsageFault("a proposal is a diff: leave out --json");
    const other = Object.keys(input).find((field) => !fields.has(field));
    if (other !== undefined)
      throw createUsageFault(`a proposal is for a whole repository: leave out ${toFlag(other)}`);
    await openOwners(input, from, context, (owners) => printProposal(owners, context));
  },
};

/** The suggested owners of a repository, and the options for reading the repository's files. */
export type OpenOwners = Awaited<ReturnType<typeof readOwners>>;

export async function openOwners(
  input: Readonly<Record<string, unknown>>,
  { flags, source }: { readonly flags: Flags; readonly source: AnswerSource },
  context: CliContext,
  use: (owners: OpenOwners) => Promise<ExitCode>,
): Promise<void> {
  if (source.kind === "service") {
    const remedy =
      "leave out --url and ROSTER_URL, and run this in a clone or next to the data folder";
    throw createUsageFault(`owners are read from the repository, not from a service: ${remedy}`);
  }
  if (source.kind !== "clone" && typeof input["repository"] !== "string")
    throw createUsageFault("name the repository with --repository");
  const answer = async (folder: DataFolder) => {
    const request = readInput(WhoRequest, addRepository(input, source, folder));
    return use(await readOwners(request, folder, { context, flags }));
  };
  await openAnswers(context, { flags, source }, answer, { search: true });
}

async function readOwners(
  request: WhoRequest,
  { modules, findLedger, findForges }: DataFolder,
  { context, flags }: { readonly context: CliContext; readonly flags: Flags },
) {
  const advice = await openOwnersAdvice(request, modules);
  const { name, forge } = advice.repository;
  const ledger = findLedger();
  const clone = chooseClone(listLocations(ledger), advice.repository);
  if (!ledger || !clone) {
    const message = `${name} was not read into this data folder: use the data folder that it was read into`;
    throw new Fault("not_found", message);
  }
  const kind = listSources(findForges()).find((source) => source.forge === forge)?.kind;
  refuseRegularExpressions(kind, forge);
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const limits = { timeoutMs, memoryMiB, signal: context.signal, since: advice.since };
  const reading = { clone, kind, people: readIdentified(ledger.sqlite), ...limits };
  return { advice, reading, summary: readSummary(ledger, clone), request };
}

async function printProposal(owners: OpenOwners, { terminal }: CliContext): Promise<ExitCode> {
  const { advice, reading, request } = owners;
  const { name, forge } = advice.repository;
  const { diff, path, head, left, nameless } = await proposeOwnersFile({
    ...reading,
    rowsMax: request.limit ?? rowsMaxDefault,
    propose: advice.propose,
  });
  const quoted = nameless.map((folder) => JSON.stringify(folder)).join(", ");
  if (diff) terminal.bytes(diff);
  noteAll(terminal, [
    !diff && `${path} of ${name}: history to ${advice.asOf} proposes no change.`,
    ...listDoubts(owners, head),
    forge === undefined &&
      `The forge of ${name} is not known, so its accounts are not known either. Set its remote origin, and read it again.`,
    left > 0 &&
      `${left} more folders have no row. To propose more rows, raise --limit (at most 50).`,
    nameless.length > 0 && `Left out, because no pattern can name them: ${quoted}.`,
  ]);
  return exitCodes.ok;
}

/** Lists reasons to doubt a proposal. @param head the current commit of the repository. */
export function listDoubts(
  { advice, reading: { clone } }: OpenOwners,
  head: string,
): readonly (string | false)[] {
  const { name } = advice.repository;
  return [
    head !== clone.head &&
      `HEAD of ${name} has moved since its history was read: \`roster ingest git ${clone.path}\` reads it.`,
    advice.isStale &&
      `The history of ${name} ends on ${advice.asOf}: it is not known who has been active since.`,
  ];
}

/** @returns the repository's clone with the latest commit; undefined if no clone is known. */
function chooseClone(
  places: readonly KnownClone[],
  { name, forge }: Pick<KnownClone, "name" | "forge">,
): (KnownClone & { readonly directory: string }) | undefined {
  return places
    .flatMap((place) => (place.directory === null ? [] : { ...place, directory: place.directory }))
    .filter((place) => place.name === name && place.forge === forge)
    .sort((a, b) => b.latest - a.latest || (a.path < b.path ? -1 : 1))[0];
}

function refuseRegularExpressions(kind: string | undefined, forge = ""): void {
  const isGitea = forge.split(".").some((label) => /^(gitea|forgejo|codeberg)$/.test(label));
  if (kind !== "gitea" && !isGitea) return;
  const reason = "Gitea and Forgejo read the patterns of CODEOWNERS as regular expressions";
  throw new Fault("refused", `${reason}, which Roster neither reads nor writes.`);
}

/** `who --format codeowners`: a change of a repository's CODEOWNERS file, as history proposes it, as a diff. */
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { WhoRequest } from "../../../contract/people/who-knows.ts";
import { Problem } from "../../../contract/problem.ts";
import { readInput } from "../../../contract/read.ts";
import { type KnownClone, proposeOwnersFile } from "../../../ingest/ingest.ts";
import { openOwnersAdvice } from "../../../operations/propose-owners.ts";
import type { AnswerForm } from "../answer-operation.ts";
import { type AnswerSource, addRepository, openAnswers } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { getExitCode } from "../exit-code.ts";

/** More rows nobody would look through. */
const rowsMaxDefault = 30;

const fields = new Set(["repository", "asOf", "activeSince", "without", "limit"]);

export const codeOwnersForm: AnswerForm = {
  about: "a diff that changes the repository's CODEOWNERS file",
  async print(input, { flags, source }, context) {
    refuseOtherFields(input, flags, source);
    const propose = async (folder: DataFolder) => {
      try {
        const asked = addRepository(input, source, folder);
        await printProposal(readInput(WhoRequest, asked), folder, { context, flags });
        return undefined;
      } catch (thrown) {
        if (!(thrown instanceof Problem)) throw thrown;
        context.terminal.note(`roster who: ${thrown.message}`);
        return getExitCode(thrown.status);
      }
    };
    await openAnswers(context, { flags, source }, propose, { search: true });
  },
};

function refuseOtherFields(
  input: Readonly<Record<string, unknown>>,
  flags: Flags,
  { kind }: AnswerSource,
): void {
  const form = "--format codeowners";
  if (flags["url"] !== undefined) {
    const reason = "reads the repository: run it without --url where the data folder is";
    throw createUsageFault(`${form} ${reason}`);
  }
  if (flags["json"]) throw createUsageFault(`${form} is a diff: leave out --json`);
  if (kind !== "clone" && typeof input["repository"] !== "string") {
    throw createUsageFault(`${form} needs --repository, whose file it changes`);
  }
  const other = Object.keys(input).find((field) => !fields.has(field));
  if (other === undefined) return;
  const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw createUsageFault(`${form} is for a whole repository: leave out --${flag}`);
}

async function printProposal(
  request: WhoRequest,
  { modules, findLedger, findForges }: DataFolder,
  { context, flags }: { readonly context: CliContext; readonly flags: Flags },
): Promise<void> {
  const { terminal, signal } = context;
  const advice = await openOwnersAdvice(request, modules);
  const { name, forge } = advice.repository;
  const ledger = findLedger();
  const clone = chooseClone(ledger?.places() ?? [], advice.repository);
  if (!ledger || !clone) {
    const message = `this data folder has not read ${name} itself: run it where the repository was read`;
    throw new Fault("not_found", message);
  }
  const kind = findForges()
    ?.sources()
    .find((source) => source.forge === forge)?.kind;
  refuseRegularExpressions(kind, forge);
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const proposal = await proposeOwnersFile({
    ...{ clone, kind, timeoutMs, memoryMiB, signal },
    people: ledger.people,
    rowsMax: request.limit ?? rowsMaxDefault,
    propose: advice.propose,
  });
  const { diff, path, head, left, nameless } = proposal;
  const quoted = nameless.map((folder) => JSON.stringify(folder)).join(", ");
  const notes = [
    !diff && `${path} of ${name}: history to ${advice.asOf} proposes no change.`,
    head !== clone.head &&
      `HEAD of ${name} has moved since its history was read: \`roster ingest git ${clone.path}\` reads it.`,
    advice.isStale &&
      `What was read of ${name} ends on ${advice.asOf}: who is active since is not known.`,
    forge === undefined &&
      `The forge of ${name} is not known, so no accounts are: set its remote origin, and read it again.`,
    left > 0 &&
      `${left} more folders are without a row: --limit, at most 50, says how many may get one.`,
    nameless.length > 0 && `Left out, since no pattern can name them: ${quoted}.`,
  ];
  if (diff) terminal.bytes(diff);
  terminal.note(...notes.filter((note) => typeof note === "string"));
}

/** @returns the place that was read up to the latest commit. */
function chooseClone(
  places: readonly KnownClone[],
  { name, forge }: Pick<KnownClone, "name" | "forge">,
): (KnownClone & { readonly directory: string }) | undefined {
  return places
    .flatMap((place) => (place.directory === null ? [] : { ...place, directory: place.directory }))
    .filter((place) => place.name === name && place.forge === forge && !place.isLeaving)
    .sort((a, b) => b.latest - a.latest || (a.path < b.path ? -1 : 1))[0];
}

function refuseRegularExpressions(kind: string | undefined, forge = ""): void {
  const isGitea = forge.split(".").some((label) => /^(gitea|forgejo|codeberg)$/.test(label));
  if (kind !== "gitea" && !isGitea) return;
  const reason = "Gitea and Forgejo read the patterns of CODEOWNERS as regular expressions";
  throw new Fault("refused", `${reason}, which Roster does not write.`);
}

import { hostname } from "node:os";
import { Command } from "commander";
import { listRuns } from "../../../../appliance/appliance.ts";
import { Fault } from "../../../../contract/fault.ts";
import { formatTaken } from "../../../../contract/format.ts";
import { endedRunsMax, type StoredRun, starters } from "../../../../control/source-records.ts";
import { type CliContext, findWholeNumber } from "../../cli-context.ts";
import { printRows, type RowTable } from "../../table.ts";
import { printFields, printResult } from "../../terminal.ts";

const shownMax = 20;

export function createRunsCommand(context: CliContext): Command {
  const { terminal } = context;
  const command = new Command("runs")
    .summary("List the latest runs: who started them, how they ended, what they changed")
    .argument("[id]", "show only this run")
    .option("--limit <N>", `how many runs to list (default: ${shownMax})`)
    .option("--failed", "list only runs that failed");
  context.commonOptions(command).addHelpText("after", "\nExample:\n  roster runs --failed");
  return context.readFolder(command, async ({ control, modules }, flags, id) => {
    const limit = findWholeNumber(flags, "limit", 1, endedRunsMax) ?? shownMax;
    const emails = new Map((await modules.accounts.list()).map((one) => [one.id, one.email]));
    const all = (await listRuns(control, context.wiring.now)).map((run) => ({
      ...{ ...run, by: emails.get(run.by) ?? run.by },
      endedAt: run.state === "running" ? null : run.endedAt,
    }));
    if (id !== undefined) {
      const run = all.find((one) => one.id === id);
      if (!run) throw new Fault("not_found", `There is no run ${id}; \`roster runs\` lists them.`);
      const fields = [...columns.map(([name, cell]) => [name, cell(run)]), ["kind", run.kind]];
      return printResult(terminal, flags, run, () => printFields(terminal, fields));
    }
    const shown = all.filter(({ state }) => !flags["failed"] || state === "failed");
    const empty = flags["failed"] ? "no run has failed" : "there is no run yet";
    printRows(terminal, flags, shown.slice(0, limit), { empty, columns });
  });
}

type ShownRun = Omit<StoredRun, "endedAt"> & { readonly endedAt: Date | null };

/** Only a process on this machine can be told to be alive. */
const describeState = ({ state, machine }: ShownRun) =>
  state === "running" && machine !== hostname() ? "not ended" : state;

const columns: RowTable<ShownRun>["columns"] = [
  ["id", ({ id }) => id],
  ["started (UTC)", ({ startedAt }) => startedAt.toISOString().slice(0, 16).replace("T", " ")],
  ["took", (run) => (run.endedAt && !run.pid ? formatTaken(run.startedAt, run.endedAt) : "")],
  ["state", describeState],
  ["run", ({ title }) => title],
  ["by", ({ by }) => starters[by] ?? by],
  ["machine", ({ machine }) => machine],
  ["outcome", ({ outcome }) => outcome],
];

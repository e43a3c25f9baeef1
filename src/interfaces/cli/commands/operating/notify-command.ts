import { Command } from "commander";
import { type Receiver, readMailAccess } from "../../../../config/config.ts";
import { Fault } from "../../../../contract/fault.ts";
import { namedPrefix } from "../../../../control/delivery-records.ts";
import {
  createReceiverTransport,
  readReceiverSecret,
  tryReceiver,
} from "../../../../delivery/delivery.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { printRows } from "../../table.ts";
import { printResult } from "../../terminal.ts";

export function createNotifyCommand(context: CliContext): Command {
  const { terminal, wiring, readFolder } = context;
  const make = (name: string, summary: string, argument?: string) => {
    const command = context.commonOptions(new Command(name).summary(summary));
    return argument ? command.argument(argument, "its id in [[notify]]") : command;
  };
  const list = readFolder(
    make("list", "List the receivers of notices"),
    async ({ control }, flags) => {
      const targets = await control.deliveries.listTargets();
      const find = (id: string) => targets.find((one) => one.id === namedPrefix + id);
      const rows = context.config(flags).notify.map(({ id, events, ...given }) => {
        const { waiting = 0, dead = 0, fault = null } = find(id) ?? {};
        return { id, to: describePlace(given), events, waiting, dead, fault };
      });
      printRows(terminal, flags, rows, {
        empty: "nobody is told: add a [[notify]] to the settings file",
        columns: [
          ["id", ({ id }) => id],
          ["to", ({ to }) => to],
          ["events", ({ events }) => events.join(" ")],
          ["waiting", ({ waiting }) => String(waiting)],
          ["dead", ({ dead }) => String(dead)],
          ["fault", ({ fault }) => fault ?? ""],
        ],
      });
    },
  );
  const test = make("test", "Send a test now, and wait for what comes of it", "[id]");
  context.useFolder(test, async ({ control }, flags, id) => {
    const { notify, publicUrl, userEnvironment: environment, ...config } = context.config(flags);
    const { now } = wiring;
    const readMail = () => readMailAccess(config);
    const parts = { control, now, readMail, environment, publicUrl: () => publicUrl };
    const rows = await Promise.all(
      choose(notify, id).map(async (receiver) => {
        const fault = await tryReceiver(createReceiverTransport(receiver, parts), now());
        // What it did not take is sent again, now that it takes something.
        if (!fault) await control.deliveries.retry(namedPrefix + receiver.id, now());
        return { id: receiver.id, fault: fault ?? null };
      }),
    );
    printRows(terminal, flags, rows, {
      columns: [
        ["id", (row) => row.id],
        ["outcome", ({ fault }) => fault ?? "sent"],
      ],
    });
    return rows.some(({ fault }) => fault) ? exitCodes.findings : exitCodes.ok;
  });
  const secret = make("secret", "Print the secret that signs what one gets by https", "<id>");
  readFolder(secret, async ({ control }, flags, id) => {
    const [receiver] = choose(context.config(flags).notify, id);
    const found = await readReceiverSecret(control, receiver?.id ?? "");
    printResult(terminal, flags, { secret: found }, () => terminal.result(found));
  });
  return new Command("notify")
    .summary("Tell operators what needs them")
    .addCommand(list)
    .addCommand(test)
    .addCommand(secret);
}

/** @throws Fault `not_found` if there is none. */
function choose(notify: readonly Receiver[], id: string | undefined): readonly Receiver[] {
  const found = notify.filter((one) => id === undefined || one.id === id);
  if (found.length > 0) return found;
  throw new Fault("not_found", `There is no ${id ?? "entry"} in [[notify]] of the settings file.`);
}

/** An address may hold a secret, so that only its host is shown. */
const describePlace = ({ to = "", command }: Omit<Receiver, "id" | "events">): string =>
  command?.[0] ?? (to.startsWith("mailto:") ? to : new URL(to).origin);

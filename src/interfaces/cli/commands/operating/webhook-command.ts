import { Command, Option } from "commander";
import type { DataFolder } from "../../../../appliance/appliance.ts";
import { createWebhooks, type Webhooks, webhookEvents } from "../../../../delivery/delivery.ts";
import type { CliContext, Flags } from "../../cli-context.ts";
import { printRows } from "../../table.ts";
import { printResult } from "../../terminal.ts";

/** Who changes webhooks by a command, in the audit log. */
const operator = "operator";

type Act = (webhooks: Webhooks, flags: Flags, given: string, other?: string) => Promise<void>;

export function createWebhookCommand(context: CliContext): Command {
  const command = new Command("webhook")
    .summary("Call addresses of yours when something happens")
    .addCommand(createAddCommand(context))
    .addCommand(createListCommand(context));
  const one = (name: string, summary: string, act: Act) =>
    command.addCommand(
      useWebhooks(
        context,
        new Command(name).summary(summary).argument("<id>", "id of the webhook"),
        act,
      ),
    );
  const { terminal } = context;
  one("remove", "Remove a webhook, and what waits for it", async (webhooks, _, id) => {
    await webhooks.remove(id, operator);
    terminal.note(`${id} is removed.`);
  });
  one("test", "Send a test; only a running server sends", async (webhooks, _, id) => {
    await webhooks.test(id, operator);
    terminal.note("The server sends a test in a moment: roster webhook list");
  });
  one("retry", "Send dead deliveries again; turns a webhook on", async (webhooks, flags, id) => {
    const deliveries = await webhooks.retry(id, operator);
    printResult(terminal, flags, { id, deliveries }, () =>
      terminal.result(`${deliveries} of its deliveries wait again`),
    );
  });
  return command;
}

function useWebhooks(context: CliContext, command: Command, act: Act): Command {
  const work = ({ control }: DataFolder, flags: Flags, given = "") =>
    act(createWebhooks(control, context.wiring.now), flags, given);
  return context.useFolder(context.commonOptions(command), work);
}

function createAddCommand(context: CliContext): Command {
  const { terminal } = context;
  const command = new Command("add")
    .summary("Add a webhook; prints its secret, once")
    .argument("<url>", "address that Roster calls, with https or http")
    .addOption(
      new Option("--event <TYPE...>", "what it is told (default: everything)").choices(
        Object.keys(webhookEvents),
      ),
    )
    .option("--allow-local", "allow an address on this machine or its link");
  command.addHelpText(
    "after",
    "\nExample:\n  roster webhook add https://hooks.example.com/roster --event people.changed",
  );
  return useWebhooks(context, command, async (webhooks, flags, url) => {
    const events = (flags["event"] ?? []) as readonly string[];
    const isLocal = flags["allowLocal"] === true;
    const { id, secret } = await webhooks.add({ url, events, isLocal }, operator);
    printResult(terminal, flags, { id, secret }, () => {
      terminal.result(secret);
      terminal.note(`Secret of ${id}, shown once: it proves what comes from Roster.`);
    });
  });
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list").summary("List the webhooks, and what waits for them");
  return context.readFolder(context.commonOptions(command), async ({ control }, flags) => {
    const webhooks = await createWebhooks(control, context.wiring.now).list();
    printRows(context.terminal, flags, webhooks, {
      empty: "there is no webhook: roster webhook add URL, or the page /admin/webhooks",
      columns: [
        ["id", ({ id }) => id],
        ["address", ({ url }) => url],
        ["events", ({ events }) => events.join(" ")],
        ["state", ({ off }) => (off === undefined ? "on" : off === "gone" ? "off: 410" : "off")],
        ["waiting", ({ waiting }) => String(waiting)],
        ["dead", ({ dead }) => String(dead)],
      ],
    });
  });
}

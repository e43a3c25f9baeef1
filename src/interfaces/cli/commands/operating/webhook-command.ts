import { Command, Option } from "commander";
import { createWebhooks, type Webhooks, webhookEvents } from "../../../../delivery/delivery.ts";
import type { CliContext, Flags } from "../../cli-context.ts";
import { printRows } from "../../table.ts";
import { printResult } from "../../terminal.ts";

/** Who changes webhooks by a command, in the audit log. */
const operator = "operator";

type Act = (webhooks: Webhooks, flags: Flags, given: string) => Promise<void>;

export function createWebhookCommand(context: CliContext): Command {
  const { terminal } = context;
  const all = new Command("webhook").summary("Call addresses of yours when something happens");
  const add = (name: string, summary: string, act: Act, use = context.useFolder) => {
    const command = context.commonOptions(new Command(name).summary(summary));
    all.addCommand(command);
    return use(command, ({ control }, flags, given = "") =>
      act(createWebhooks(control, context.wiring.now), flags, given),
    );
  };
  add("add", "Add a webhook; prints its secret, once", async (webhooks, flags, url) => {
    const events = (flags["event"] ?? Object.keys(webhookEvents)) as readonly string[];
    const isLocal = flags["allowLocal"] === true;
    const { id, secret } = await webhooks.add({ url, events, isLocal }, operator);
    printResult(terminal, flags, { id, secret }, () => {
      terminal.result(secret);
      terminal.note(`Secret of ${id}, shown once: it proves what comes from Roster.`);
    });
  })
    .argument("<url>", "address that Roster calls, with https or http")
    .addOption(
      new Option("--event <TYPE...>", "what it is told (default: everything)").choices(
        Object.keys(webhookEvents),
      ),
    )
    .option("--allow-local", "allow an address on this machine or its link");
  add(
    "list",
    "List the webhooks, and what waits for them",
    async (webhooks, flags) => {
      printRows(terminal, flags, await webhooks.list(), {
        empty: "there is no webhook: roster webhook add URL, or the page /admin/webhooks",
        columns: [
          ["id", ({ id }) => id],
          ["address", ({ url }) => url],
          ["events", ({ events }) => events.join(" ")],
          ["waiting", ({ waiting }) => String(waiting)],
          ["dead", ({ dead }) => String(dead)],
          ["fault", ({ fault }) => fault ?? ""],
        ],
      });
    },
    context.readFolder,
  );
  add("remove", "Remove a webhook, and what waits for it", async (webhooks, _, id) => {
    await webhooks.remove(id, operator);
    terminal.note(`${id} is removed.`);
  }).argument("<id>");
  add("test", "Send a test; only a running server sends", async (webhooks, _, id) => {
    await webhooks.test(id);
    terminal.note("The server sends a test in a moment: roster webhook list");
  }).argument("<id>");
  add("retry", "Send dead deliveries again", async (webhooks, flags, id) => {
    const deliveries = await webhooks.retry(id);
    printResult(terminal, flags, { id, deliveries }, () =>
      terminal.result(`${deliveries} of its deliveries wait again`),
    );
  }).argument("<id>");
  return all;
}

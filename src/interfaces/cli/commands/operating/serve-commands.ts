import { once } from "node:events";
import { Command } from "commander";
import { getLinkPath, getResourceUrl } from "../../../../accounts/accounts.ts";
import type { DataFolder, FirstStart } from "../../../../appliance/appliance.ts";
import {
  type Config,
  getServiceUrl,
  isFolderNamed,
  isKeyGiven,
  settings,
} from "../../../../config/config.ts";
import { details } from "../../../../contract/caller.ts";
import { formatExampleCall } from "../../../../operations/example-call.ts";
import { chooseSource, openAnswers } from "../../answer-source.ts";
import type { CliContext, Flags, RunningServer } from "../../cli-context.ts";
import { readService } from "../../service-access.ts";
import { createConfigOption, createSettingOption, findSetting } from "../../setting-options.ts";
import { printFields } from "../../terminal.ts";

export function createServeCommand(context: CliContext): Command {
  const command = addServeOptions(new Command("serve").summary("Serve the API (default)"));
  command.addHelpText("after", "\nExample:\n  roster serve --data /var/lib/roster --port 7171");
  return command.action(async (flags: Flags) => {
    const config = context.config(flags);
    // Prints these messages only on a terminal, because the log already contains them.
    const { isInteractive } = context.terminal;
    const note = (text: string) => context.terminal.note(text);
    const readAgain = () => context.config(flags);
    const hear = { readAgain, ...(isInteractive ? { step: note } : {}) };
    const serving = await context.wiring.serve(config, hear);
    if (!serving) return;
    // The text of the first start contains secrets. It must not be in a log.
    if (!context.terminal.isLogged) showStart(context, config, serving);
    if (isInteractive) note("Ctrl-C stops it.");
    if (!context.signal.aborted) await once(context.signal, "abort");
    if (isInteractive) note("Stopping: answering the calls in flight first ...");
    await serving.stop();
  });
}

function showStart(context: CliContext, config: Config, { address, first }: RunningServer): void {
  const { terminal } = context;
  // Shows the public URL, because cookies and tokens are valid only there.
  const isGiven = config.publicUrl !== getServiceUrl(config);
  const publicUrl = isGiven ? config.publicUrl : address;
  // A browser cannot open a Unix socket.
  const isSocket = config.host.startsWith("unix:");
  const callable = isSocket ? publicUrl : address;
  terminal.result(`Roster ${context.wiring.version}`);
  printFields(terminal, [
    ["address", isSocket ? config.host : address],
    ["data", config.data],
    ["docs", `${callable}/docs`],
    ["assistants", getResourceUrl(publicUrl)],
    ...(first ? describeFirstStart(first, { address: callable, publicUrl }) : []),
  ]);
}

function describeFirstStart(
  first: FirstStart,
  { address, publicUrl }: { readonly address: string; readonly publicUrl: string },
): (readonly [string, string])[] {
  const { key, keyFile } = first;
  const shownKey = key ?? (keyFile ? `$(cat '${keyFile}')` : "$ROSTER_ADMIN_KEY");
  return [
    ["account", `${first.email} (administrator, enterprise plan)`],
    [
      "key",
      key ? `${key}  (shown only once)` : keyFile ? `written to ${keyFile}` : "the one you gave",
    ],
    [
      "sign in",
      `${publicUrl}${getLinkPath("set-up", first.setUpLink.token)}  (once, within 30 minutes)`,
    ],
    ["try", formatExampleCall(address, shownKey).join(" ")],
    ["next", describeNextStep(first)],
    ["in a clone", "roster who lists the people of any git clone, without a server"],
  ];
}

function describeNextStep({ demoDevelopers, developers }: FirstStart): string {
  if (demoDevelopers > 0) {
    return `${demoDevelopers} fictitious people are loaded to try; roster ingest git PATH... replaces them with yours`;
  }
  return developers > 0
    ? `the pool holds ${developers} people; roster ingest git PATH... or roster import FILE adds to them`
    : "the pool is empty; roster ingest git PATH... or roster import FILE fills it";
}

export function addServeOptions(command: Command): Command {
  for (const { key, flag } of settings) {
    if (flag) command.addOption(createSettingOption(key));
  }
  return command.addOption(createConfigOption());
}

const help = `
An assistant on this machine starts this command and speaks MCP with it.
Inside a git clone it answers from the clone's history, without a key.
With a key in ROSTER_API_KEY, or in the file that ROSTER_API_KEY_FILE names, it
asks a Roster service, and each call counts against the account of the key.
A service offers the same tools itself, at /mcp. See docs/mcp.md.

In the assistant's settings, for a service:
  {"mcpServers": {"roster": {"command": "roster", "args": ["mcp"],
    "env": {"ROSTER_API_KEY": "rst_...", "ROSTER_URL": "http://127.0.0.1:7171"}}}}

Examples:
  claude mcp add roster -- roster mcp
  ROSTER_API_KEY=rst_... roster mcp --url https://roster.example.com`;

const ready = "Tools on standard input and output. Ctrl-C ends it.";

export function createMcpCommand(context: CliContext): Command {
  const summary = "Serve the operations to an AI assistant, on standard input and output";
  const url = findSetting("url");
  const command = new Command("mcp").summary(summary).description(`${summary}.`);
  command
    .addOption(createSettingOption("data"))
    .addOption(createConfigOption())
    .addOption(createSettingOption("url", `${url.help} (default: ${url.env}, else ${url.default})`))
    .addOption(
      createSettingOption(
        "mcp.detail",
        `how much detail the assistant gets (${details.join(", ")})`,
      ),
    )
    .addHelpText("after", help);
  return command.action(async (flags: Readonly<Record<string, string>>) => {
    const { wiring, terminal, signal } = context;
    const given = { url: flags["url"], "mcp.detail": flags["mcpDetail"] };
    // If a key is given but nothing names a source, uses the service on this machine.
    const isAsked = isKeyGiven() && !flags["data"] && !flags["config"] && !isFolderNamed();
    const source = await chooseSource(context, isAsked ? { url: readService(given).url } : flags);
    if (source.kind === "service") {
      const { detail, ...service } = readService(given);
      terminal.note(ready);
      return wiring.mcp({ answers: service, detail }, terminal, signal);
    }
    const { mcp } = context.config(flags);
    const { newRequestId } = context;
    const serve = ({ modules }: DataFolder) => {
      terminal.note(ready);
      const answers = { modules, newRequestId };
      return wiring.mcp({ answers, detail: mcp.detail }, terminal, signal);
    };
    await openAnswers(context, { flags, source }, serve, { search: true });
  });
}

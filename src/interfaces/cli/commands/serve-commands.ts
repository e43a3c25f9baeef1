import { Command } from "commander";
import { getLinkPath, getResourceUrl, isKey } from "../../../accounts/accounts.ts";
import { type Config, getServiceUrl, readServiceAccess } from "../../../config/config.ts";
import { details } from "../../../contract/detail.ts";
import { formatExampleCall } from "../../../operations/example-call.ts";
import {
  type CliContext,
  createUsageFault,
  type FirstStart,
  type RunningServer,
} from "../cli-context.ts";
import { exitCodes, printFields } from "../terminal.ts";
import { addServeOptions } from "./installation-commands.ts";

/** `serve`, the default command: runs until Ctrl-C or SIGTERM. */
export function createServeCommand(session: CliContext): Command {
  const command = addServeOptions(new Command("serve").summary("Serve the API (default)"));
  command.addHelpText("after", "\nExample:\n  roster serve --data /var/lib/roster --port 7171");
  return command.action(async (flags: Record<string, unknown>) => {
    const config = session.config(flags);
    const serving = await session.wiring.serve(config, {
      step: (text) => session.terminal.note(text),
    });
    greet(session, config, serving);
    await aborted(session.signal);
    session.terminal.note("Stopping: calls in flight are answered first ...");
    await serving.stop();
    session.end(exitCodes.ok);
  });
}

function greet(session: CliContext, config: Config, { address, first }: RunningServer): void {
  const { terminal } = session;
  // What people and assistants open must be the address that their cookies and tokens are for.
  const isGiven = config.publicUrl !== getServiceUrl(config.host, config.port);
  const publicUrl = isGiven ? config.publicUrl : address;
  terminal.result(`Roster ${session.wiring.version}`);
  printFields(terminal, [
    ["address", address],
    ["data", config.data],
    ["docs", `${address}/docs`],
    ["assistants", getResourceUrl(publicUrl)],
    ...(first ? firstStart(first, { address, publicUrl }) : []),
  ]);
  terminal.note("Ctrl-C stops it.");
}

function firstStart(
  first: FirstStart,
  { address, publicUrl }: { readonly address: string; readonly publicUrl: string },
): (readonly [string, string])[] {
  const { key, keyFile } = first;
  const shownKey = key ?? (keyFile ? `$(cat '${keyFile}')` : "$ROSTER_ADMIN_KEY");
  return [
    ["account", `${first.email} (administrator, enterprise plan)`],
    [
      "key",
      key ? `${key}  (shown this once)` : keyFile ? `written to ${keyFile}` : "the one you gave",
    ],
    [
      "sign in",
      `${publicUrl}${getLinkPath("set-up", first.setUpLink.token)}  (once, within 30 minutes)`,
    ],
    ["try", formatExampleCall(address, shownKey).join(" ")],
    ["next", nextStep(first)],
  ];
}

function nextStep({ demoDevelopers, developers }: FirstStart): string {
  if (demoDevelopers > 0) {
    return `${demoDevelopers} fictitious people are loaded; roster ingest git PATH... replaces them with real ones`;
  }
  return developers > 0
    ? `the pool holds ${developers} people; roster ingest git PATH... or roster import FILE adds to them`
    : "the pool is empty; roster ingest git PATH... or roster import FILE fills it";
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const help = `
An assistant on this machine starts this command and speaks MCP with it.
Each call goes to a Roster service and counts against the account whose API key
stands in ROSTER_API_KEY, or in the file that ROSTER_API_KEY_FILE names.
A service offers the same tools itself, at /mcp. See docs/mcp.md.

In the assistant's settings:
  {"mcpServers": {"roster": {"command": "roster", "args": ["mcp"],
    "env": {"ROSTER_API_KEY": "rst_...", "ROSTER_URL": "http://127.0.0.1:7171"}}}}

Example:
  ROSTER_API_KEY=rst_... roster mcp --url https://roster.example.com`;

/** `mcp`: the tools of a Roster service, on standard input and output, until the input ends. */
export function createMcpCommand(session: CliContext): Command {
  const summary = "Offer the operations to an AI assistant, on standard input and output";
  const command = new Command("mcp").summary(summary).description(`${summary}.`);
  command
    .option(
      "--url <URL>",
      "address of the service (default: ROSTER_URL, else http://127.0.0.1:7171)",
    )
    .option("--mcp-detail <DETAIL>", `how much the assistant is told (${details.join(", ")})`)
    .addHelpText("after", help);
  return command.action(async (flags: { readonly url?: string; readonly mcpDetail?: string }) => {
    const given = { url: flags.url, "mcp.detail": flags.mcpDetail };
    const { url, apiKey, detail } = readServiceAccess(given);
    if (apiKey === undefined) {
      throw createUsageFault(
        `ROSTER_API_KEY is not set: it must be the API key of an account of the service at ${url}; ` +
          "its page /account/api makes one, or on its machine: roster account create EMAIL --plan free",
      );
    }
    if (!isKey(apiKey)) {
      throw createUsageFault(
        "ROSTER_API_KEY is no key: it must be rst_ and 49 more letters and digits, with a checksum",
      );
    }
    session.terminal.note(`Tools of ${url}, on standard input and output. Ctrl-C ends it.`);
    const service = { url, key: apiKey, detail };
    await session.wiring.mcp(service, session.terminal, session.signal);
    session.end(exitCodes.ok);
  });
}

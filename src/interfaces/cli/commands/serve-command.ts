import { Command } from "commander";
import { getLinkPath, getResourceUrl } from "../../../accounts/accounts.ts";
import { type Config, getServiceUrl } from "../../../config/config.ts";
import { formatExampleCall } from "../../../operations/example-call.ts";
import type { CliContext, FirstStart, RunningServer } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { printFields } from "../terminal.ts";
import { addServeOptions } from "./config-command.ts";

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

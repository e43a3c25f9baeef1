import { Command } from "commander";
import { readConfig, settings } from "../../../config/config.ts";
import { type CliContext, toSettingTexts } from "../cli-context.ts";
import { exitCodes, printJson, printTable } from "../terminal.ts";

/** `config show`: every value and where it came from, secrets masked. */
export function createConfigCommand(session: CliContext): Command {
  const show = new Command("show").summary("Show every setting and where it came from");
  addServeOptions(show).option("--json", "machine-readable output");
  show.action((flags: Record<string, unknown>) => {
    const { config, origins } = readConfig(toSettingTexts(flags));
    const rows: Shown[] = origins.map(({ setting, text, from }) => ({
      name: setting.key,
      value: text === undefined ? undefined : setting.secret ? "****" : text,
      from,
      environment: setting.env,
    }));
    for (const { id, name, protocol, domains } of config.signIn.providers) {
      const value = `${name} (${protocol.kind}) for ${domains.join(", ")}`;
      rows.push({ name: `signIn.providers.${id}`, value, from: "file" });
    }
    rows.push({
      name: "modelVersion",
      value: session.wiring.modelVersion(config),
      from: config.analysis.modelFile === undefined ? "built in" : "analysis.modelFile",
    });
    if (flags["json"]) printJson(session.terminal, rows);
    else {
      printTable(
        session.terminal,
        ["setting", "value", "from", "environment"],
        rows.map((row) => [row.name, row.value ?? "(unset)", row.from, row.environment ?? ""]),
      );
    }
    session.end(exitCodes.ok);
  });
  return new Command("config").summary("Show the settings in force").addCommand(show);
}

/** A setting; or what follows from one, and has no variable of its own. */
interface Shown {
  readonly name: string;
  readonly value: string | undefined;
  readonly from: string;
  readonly environment?: string;
}

/** Every setting that has a flag, as an option of a command. */
export function addServeOptions(command: Command): Command {
  for (const { flag, takes, help, default: fallback } of settings) {
    if (!flag) continue;
    const isShown = fallback !== undefined && takes;
    command.option(
      takes ? `${flag} <${takes}>` : flag,
      isShown ? `${help} (default: ${fallback})` : help,
    );
  }
  return command.option(
    "--config <FILE>",
    "settings file (default: roster.toml in the data folder)",
  );
}

/**
 * `clock accept`: after the machine's clock went back by more than a day, calls go on counting in the later
 * window and the server is not ready, until somebody says which clock is right.
 */
export function createClockCommand(session: CliContext): Command {
  const accept = new Command("accept").summary(
    "Take the machine's clock as right after it went back",
  );
  session.commonOptions(accept).action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        modules.quota.acceptClock();
        session.terminal.note(`Calls count from ${session.wiring.now().toISOString()} on.`);
        return exitCodes.ok;
      },
      { create: false, search: false },
    );
  });
  return new Command("clock").summary("Settle a clock that went back").addCommand(accept);
}

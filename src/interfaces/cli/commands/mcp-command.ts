import { Command } from "commander";
import { isKey } from "../../../accounts/accounts.ts";
import { readServiceAccess } from "../../../config/config.ts";
import { details } from "../../../contract/detail.ts";
import {
  type CliContext,
  createSettingOption,
  createUsageFault,
  findSetting,
} from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";

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
  const url = findSetting("url");
  const command = new Command("mcp").summary(summary).description(`${summary}.`);
  command
    .addOption(createSettingOption("url", `${url.help} (default: ${url.env}, else ${url.default})`))
    .addOption(
      createSettingOption("mcp.detail", `how much the assistant is told (${details.join(", ")})`),
    )
    .addHelpText("after", help);
  return command.action(async (flags: { readonly url?: string; readonly mcpDetail?: string }) => {
    const given = { url: flags.url, "mcp.detail": flags.mcpDetail };
    const { apiKey, ...service } = readServiceAccess(given);
    const { url } = service;
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
    await session.wiring.mcp({ ...service, key: apiKey }, session.terminal, session.signal);
    session.end(exitCodes.ok);
  });
}

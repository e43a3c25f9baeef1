/** Loads the file of a command only when the command is used. */
import type { Command } from "commander";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { CliContext } from "../cli-context.ts";

type CreateCommand = (context: CliContext) => Command;

/** The commands by name, in the order of the help text. */
const commands: Readonly<Record<string, () => Promise<CreateCommand>>> = {
  serve: async () => (await import("./operating/serve-commands.ts")).createServeCommand,
  ...Object.fromEntries(operations.map((each) => [each.command, () => loadOperationCommand(each)])),
  owners: async () => (await import("./owners-command.ts")).createOwnersCommand,
  mailmap: async () => (await import("./mailmap-command.ts")).createMailmapCommand,
  mcp: async () => (await import("./operating/serve-commands.ts")).createMcpCommand,
  import: async () => (await import("./data-commands.ts")).createImportCommand,
  export: async () => (await import("./data-commands.ts")).createExportCommand,
  ingest: async () => (await import("./ingest-command.ts")).createIngestCommand,
  sources: async () => (await import("./sources-command.ts")).createSourcesCommand,
  identity: async () => (await import("./identity-command.ts")).createIdentityCommand,
  backup: async () => (await import("./operating/backup-command.ts")).createBackupCommand,
  restore: async () => (await import("./operating/restore-command.ts")).createRestoreCommand,
  cleanup: async () => (await import("./operating/cleanup-command.ts")).createCleanupCommand,
  move: async () => (await import("./operating/move-command.ts")).createMoveCommand,
  account: async () => (await import("./operating/account-command.ts")).createAccountCommand,
  key: async () => (await import("./operating/access-commands.ts")).createKeyCommand,
  assistant: async () => (await import("./operating/access-commands.ts")).createAssistantCommand,
  webhook: async () => (await import("./operating/webhook-command.ts")).createWebhookCommand,
  notify: async () => (await import("./operating/notify-command.ts")).createNotifyCommand,
  runs: async () => (await import("./operating/runs-command.ts")).createRunsCommand,
  clock: async () => (await import("./operating/access-commands.ts")).createClockCommand,
  explain: async () => (await import("./explain-commands.ts")).createExplainCommand,
  rescore: async () => (await import("./rescore-command.ts")).createRescoreCommand,
  forget: async () => (await import("./forget-command.ts")).createForgetCommand,
  person: async () => (await import("./forget-command.ts")).createPersonCommand,
  places: async () => (await import("./explain-commands.ts")).createPlacesCommand,
  cache: async () => (await import("./cache-command.ts")).createCacheCommand,
  status: async () => (await import("./operating/status-command.ts")).createStatusCommand,
  doctor: async () => (await import("./operating/doctor-command.ts")).createDoctorCommand,
  reload: async () => (await import("./operating/reload-command.ts")).createReloadCommand,
  config: async () => (await import("./operating/config-command.ts")).createConfigCommand,
};

/** @returns the named command. If no command has the name, returns all commands. */
export async function loadCommands(
  name: string | undefined,
  context: CliContext,
): Promise<readonly Command[]> {
  const named = Object.entries(commands).filter(([each]) => each === name);
  const loads = named.length > 0 ? named.map(([, load]) => load) : Object.values(commands);
  return (await Promise.all(loads.map((load) => load()))).map((create) => create(context));
}

async function loadOperationCommand(operation: Operation): Promise<CreateCommand> {
  const { createOperationCommand } = await import("../operation-command.ts");
  const isWho = operation.command === "who";
  const extra = isWho ? (await import("../change-paths.ts")).changeOptions : undefined;
  const forms = isWho
    ? { codeowners: (await import("./propose-owners-form.ts")).codeOwnersForm }
    : {};
  return (context) => createOperationCommand(operation, context, extra, forms);
}

/** The commands by name. The file of a command is loaded only when the command is used. */
import type { Command } from "commander";
import { operations } from "../../operations/index.ts";
import type { Operation } from "../../operations/operation.ts";
import type { CliContext } from "./cli-context.ts";

type CreateCommand = (context: CliContext) => Command;

const files = {
  serve: () => import("./commands/operating/serve-commands.ts"),
  data: () => import("./commands/data-commands.ts"),
  ingest: () => import("./commands/ingest-command.ts"),
  sources: () => import("./commands/sources-command.ts"),
  mailmap: () => import("./commands/mailmap-command.ts"),
  identity: () => import("./commands/identity-command.ts"),
  backup: () => import("./commands/operating/backup-command.ts"),
  restore: () => import("./commands/operating/restore-command.ts"),
  move: () => import("./commands/operating/move-command.ts"),
  account: () => import("./commands/operating/account-command.ts"),
  access: () => import("./commands/operating/access-commands.ts"),
  explain: () => import("./commands/explain-commands.ts"),
  rescore: () => import("./commands/rescore-command.ts"),
  forget: () => import("./commands/forget-command.ts"),
  cache: () => import("./commands/cache-command.ts"),
  owners: () => import("./commands/owners-command.ts"),
  webhook: () => import("./commands/operating/webhook-command.ts"),
  doctor: () => import("./commands/operating/doctor-command.ts"),
  config: () => import("./commands/operating/config-command.ts"),
};

/** The commands, in the order of the help text. */
const commands: readonly (readonly [name: string, load: () => Promise<CreateCommand>])[] = [
  ["serve", async () => (await files.serve()).createServeCommand],
  ...operations.map((each) => [each.command, () => loadOperationCommand(each)] as const),
  ["owners", async () => (await files.owners()).createOwnersCommand],
  ["mailmap", async () => (await files.mailmap()).createMailmapCommand],
  ["mcp", async () => (await files.serve()).createMcpCommand],
  ["import", async () => (await files.data()).createImportCommand],
  ["export", async () => (await files.data()).createExportCommand],
  ["ingest", async () => (await files.ingest()).createIngestCommand],
  ["sources", async () => (await files.sources()).createSourcesCommand],
  ["identity", async () => (await files.identity()).createIdentityCommand],
  ["backup", async () => (await files.backup()).createBackupCommand],
  ["restore", async () => (await files.restore()).createRestoreCommand],
  ["move", async () => (await files.move()).createMoveCommand],
  ["account", async () => (await files.account()).createAccountCommand],
  ["key", async () => (await files.access()).createKeyCommand],
  ["assistant", async () => (await files.access()).createAssistantCommand],
  ["webhook", async () => (await files.webhook()).createWebhookCommand],
  ["clock", async () => (await files.access()).createClockCommand],
  ["explain", async () => (await files.explain()).createExplainCommand],
  ["rescore", async () => (await files.rescore()).createRescoreCommand],
  ["forget", async () => (await files.forget()).createForgetCommand],
  ["person", async () => (await files.forget()).createPersonCommand],
  ["places", async () => (await files.explain()).createPlacesCommand],
  ["cache", async () => (await files.cache()).createCacheCommand],
  ["doctor", async () => (await files.doctor()).createDoctorCommand],
  ["config", async () => (await files.config()).createConfigCommand],
];

/** @returns the named command. If no command has the name, returns all commands. */
export async function loadCommands(
  name: string | undefined,
  context: CliContext,
): Promise<readonly Command[]> {
  const named = commands.filter(([each]) => each === name);
  const loaded = (named.length > 0 ? named : commands).map(([, load]) => load());
  return (await Promise.all(loaded)).map((create) => create(context));
}

async function loadOperationCommand(operation: Operation): Promise<CreateCommand> {
  const { createOperationCommand } = await import("./operation-command.ts");
  const isWho = operation.command === "who";
  const extra = isWho ? (await import("./change-paths.ts")).changeOptions : undefined;
  const forms = isWho
    ? { codeowners: (await import("./commands/propose-owners-form.ts")).codeOwnersForm }
    : {};
  return (context) => createOperationCommand(operation, context, extra, forms);
}

import { Command } from "commander";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { printJson, printTable } from "../../terminal.ts";

const beside = { create: false, search: false } as const;

/** `assistant register|list|remove`: assistants that the operator vouches for. */
export function createAssistantCommand(session: CliContext): Command {
  return new Command("assistant")
    .summary("Register assistants, for sites where none may register by itself")
    .addCommand(register(session))
    .addCommand(list(session))
    .addCommand(remove(session));
}

function register(session: CliContext): Command {
  const command = new Command("register")
    .summary("Register an assistant; prints the client id to enter there")
    .argument("<name>", "what people read when they are asked")
    .requiredOption("--redirect <URI...>", "where it takes people back to; loopback or https");
  command.addHelpText(
    "after",
    "\nExample:\n  roster assistant register 'Code editor' --redirect http://127.0.0.1/callback",
  );
  session.commonOptions(command);
  return command.action(async (name: string, flags: Record<string, unknown>) => {
    const redirectUris = flags["redirect"] as string[];
    await session.withModules(
      flags,
      async ({ modules }) => {
        const client = await modules.accounts.clients.register({ name, redirectUris });
        if (flags["json"]) printJson(session.terminal, client);
        else {
          session.terminal.result(client.clientId);
          session.terminal.note(`Client id of ${name}. It is no secret; there is none.`);
        }
        return exitCodes.ok;
      },
      beside,
    );
  });
}

function list(session: CliContext): Command {
  const command = new Command("list").summary("List the assistants that were registered here");
  return session.commonOptions(command).action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        const clients = await modules.accounts.clients.list();
        if (flags["json"]) printJson(session.terminal, clients);
        else {
          const rows = clients.map(({ clientId, name, redirectUris }) => [
            clientId,
            name,
            redirectUris.join(" "),
          ]);
          printTable(session.terminal, ["client id", "name", "redirects"], rows);
        }
        return exitCodes.ok;
      },
      beside,
    );
  });
}

function remove(session: CliContext): Command {
  const command = new Command("remove")
    .summary("Remove an assistant; whoever connected it is disconnected at once")
    .argument("<client-id>");
  session.commonOptions(command);
  return command.action(async (clientId: string, flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        await modules.accounts.clients.remove(clientId);
        session.terminal.note(`${clientId} is removed.`);
        return exitCodes.ok;
      },
      beside,
    );
  });
}

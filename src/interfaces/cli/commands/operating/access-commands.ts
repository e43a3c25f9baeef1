import { Command, Option } from "commander";
import {
  type Accounts,
  createKey,
  getLinkPath,
  type LinkPurpose,
} from "../../../../accounts/accounts.ts";
import { type Plan, planNames } from "../../../../contract/limits.ts";
import { type CliContext, createSettingOption, createUsageFault } from "../../cli-context.ts";
import { printTable } from "../../table.ts";
import { printJson } from "../../terminal.ts";

/** `key regenerate|recover|new`. */
export function createKeyCommand(context: CliContext): Command {
  const show = (flags: Record<string, unknown>, key: string, note: string) => {
    if (flags["json"]) printJson(context.terminal, { key });
    else {
      context.terminal.result(key);
      context.terminal.note(note);
    }
  };
  const regenerate = new Command("regenerate")
    .summary("Give an account a new key; the old one stops working at once")
    .argument("<email>");
  context
    .commonOptions(regenerate)
    .action(async (email: string, flags: Record<string, unknown>) => {
      await context.withModules(flags, async ({ modules }) => {
        const key = await modules.accounts.regenerateKey(email);
        show(flags, key, `New key of ${email}, shown this once. The old one is dead.`);
      });
    });
  const recover = new Command("recover").summary(
    "Give the administrator a new key if the first one was lost",
  );
  context.commonOptions(recover).action(async (flags: Record<string, unknown>) => {
    await context.withModules(flags, async ({ modules }) => {
      const { email, key } = await modules.accounts.recoverKey();
      show(flags, key, `New key of ${email}, shown this once. The old one is dead.`);
    });
  });
  const make = new Command("new").summary(
    "Make a key for ROSTER_ADMIN_KEY, before the first start; nothing is stored",
  );
  context.commonOptions(make).action((flags: Record<string, unknown>) => {
    show(
      flags,
      createKey(),
      "Set ROSTER_ADMIN_KEY or ROSTER_ADMIN_KEY_FILE to it before the first start.",
    );
  });
  return new Command("key")
    .summary("Replace or recover API keys")
    .addCommand(regenerate)
    .addCommand(recover)
    .addCommand(make);
}

/**
 * `clock accept`: after the machine's clock went back by more than a day, calls still count in the later window and the
 * server is not ready, until the operator confirms the clock.
 */
export function createClockCommand(context: CliContext): Command {
  const accept = new Command("accept").summary("Accept the machine's clock after it went back");
  context.commonOptions(accept).action(async (flags: Record<string, unknown>) => {
    await context.withModules(flags, async ({ modules }) => {
      await modules.quota.acceptClock();
      context.terminal.note(`Calls count from ${context.wiring.now().toISOString()} on.`);
    });
  });
  return new Command("clock").summary("Accept a clock that went back").addCommand(accept);
}

/** `assistant register|list|remove`: assistants that the operator vouches for. */
export function createAssistantCommand(context: CliContext): Command {
  return new Command("assistant")
    .summary("Register assistants, if they may not register by themselves")
    .addCommand(createRegisterCommand(context))
    .addCommand(createListCommand(context))
    .addCommand(createRemoveCommand(context));
}

function createRegisterCommand(context: CliContext): Command {
  const command = new Command("register")
    .summary("Register an assistant; prints the client id to enter in it")
    .argument("<name>", "name that people see when they are asked for consent")
    .requiredOption(
      "--redirect <URI...>",
      "redirect addresses of the assistant; loopback or https",
    );
  command.addHelpText(
    "after",
    "\nExample:\n  roster assistant register 'Code editor' --redirect http://127.0.0.1/callback",
  );
  context.commonOptions(command);
  return command.action(async (name: string, flags: Record<string, unknown>) => {
    const redirectUris = flags["redirect"] as string[];
    await context.withModules(flags, async ({ modules }) => {
      const client = await modules.accounts.clients.register({ name, redirectUris });
      if (flags["json"]) printJson(context.terminal, client);
      else {
        context.terminal.result(client.clientId);
        context.terminal.note(
          `Client id of ${name}. It is not secret, and there is no client secret.`,
        );
      }
    });
  });
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list").summary("List the assistants that were registered here");
  return context.commonOptions(command).action(async (flags: Record<string, unknown>) => {
    await context.readModules(flags, async ({ modules }) => {
      const clients = await modules.accounts.clients.list();
      if (flags["json"]) printJson(context.terminal, clients);
      else {
        const rows = clients.map(({ clientId, name, redirectUris }) => [
          clientId,
          name,
          redirectUris.join(" "),
        ]);
        printTable(context.terminal, ["client id", "name", "redirects"], rows);
      }
    });
  });
}

function createRemoveCommand(context: CliContext): Command {
  const command = new Command("remove")
    .summary("Remove an assistant; its connections end at once")
    .argument("<client-id>");
  context.commonOptions(command);
  return command.action(async (clientId: string, flags: Record<string, unknown>) => {
    await context.withModules(flags, async ({ modules }) => {
      await modules.accounts.clients.remove(clientId);
      context.terminal.note(`${clientId} is removed.`);
    });
  });
}

/** `account invite`: prints a link that gives a user an account, or browser access to an existing one. */
export function createInviteCommand(context: CliContext): Command {
  const command = new Command("invite")
    .summary("Print a link for setting a password and signing in")
    .argument("<email>", "address of the account; created if there is none")
    .addOption(new Option("--plan <plan>", "plan of a new account").choices([...planNames]))
    .addOption(createAdministratorOption());
  command.addHelpText("after", "\nExample:\n  roster account invite ada@example.com --plan pro");
  return printLink(
    context,
    command,
    "invitation",
    async (accounts, email, { plan, administrator }) => {
      const known = await accounts.find(email);
      if (known && administrator && !known.administrator) {
        throw createUsageFault(
          `${email} has an account already; only a new one is made an administrator's`,
        );
      }
      if (known && plan && known.plan !== plan) {
        throw createUsageFault(
          `${email} is on the ${known.plan} plan; change it with: roster account set-plan`,
        );
      }
      if (!known) {
        if (!plan)
          throw createUsageFault(`there is no account ${email} yet; name its plan with --plan`);
        await accounts.createWithoutKey({ email, plan, administrator });
      }
    },
  );
}

/** `account reset`: for users who forgot their password. */
export function createResetCommand(context: CliContext): Command {
  const command = new Command("reset")
    .summary("Print a link that sets a new password; it ends the account's sessions and assistants")
    .argument("<email>");
  return printLink(context, command, "reset", async () => {});
}

export function createAdministratorOption(): Option {
  return new Option("--administrator", "a new account that manages the others in the browser");
}

interface NewAccountFlags {
  readonly plan: Plan | undefined;
  readonly administrator: boolean;
}

function printLink(
  context: CliContext,
  command: Command,
  purpose: LinkPurpose,
  prepare: (accounts: Accounts, email: string, newAccount: NewAccountFlags) => Promise<void>,
): Command {
  context
    .commonOptions(command)
    .addOption(
      createSettingOption(
        "publicUrl",
        "address that people use (default: as the server says that runs on the folder, else of the settings)",
      ),
    );
  return command.action(async (email: string, flags: Record<string, string>) => {
    const { publicUrl } = context.config(flags);
    await context.withModules(
      flags,
      async ({ modules, servedAt }) => {
        const plan = flags["plan"] as Plan | undefined;
        await prepare(modules.accounts, email, {
          plan,
          administrator: flags["administrator"] !== undefined,
        });
        const { token, expiresAt } = await modules.accounts.makeLink(email, purpose);
        // The server's own flags and environment may have given it another address than this command's settings.
        const address = flags["publicUrl"] ? publicUrl : (servedAt() ?? publicUrl);
        const link = `${address}${getLinkPath(purpose, token)}`;
        if (flags["json"]) printJson(context.terminal, { email, link, expiresAt });
        else {
          context.terminal.result(link);
          context.terminal.note(
            `For ${email}, once, until ${expiresAt.toISOString()}. Hand it over yourself.`,
          );
        }
      },
      { create: purpose === "invitation" },
    );
  });
}

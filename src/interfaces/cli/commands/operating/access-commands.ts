import { Command, Option } from "commander";
import {
  type Accounts,
  createKey,
  getLinkPath,
  type LinkPurpose,
} from "../../../../accounts/accounts.ts";
import type { DataFolder } from "../../../../appliance/appliance.ts";
import { type Plan, planNames } from "../../../../contract/limits.ts";
import { type CliContext, createUsageFault, type Flags } from "../../cli-context.ts";
import { createSettingOption } from "../../setting-options.ts";
import { printRows } from "../../table.ts";
import { printResult } from "../../terminal.ts";

export function createKeyCommand(context: CliContext): Command {
  const { terminal } = context;
  const show = (flags: Flags, key: string, note: string) =>
    printResult(terminal, flags, { key }, () => {
      terminal.result(key);
      terminal.note(note);
    });
  const regenerate = new Command("regenerate")
    .summary("Give an account a new key; the old one stops working at once")
    .argument("<email>");
  const showNew = (flags: Flags, email: string, key: string) =>
    show(flags, key, `New key of ${email}, shown only once. The old one no longer works.`);
  context.useFolder(context.commonOptions(regenerate), async ({ modules }, flags, email = "") => {
    showNew(flags, email, await modules.accounts.regenerateKey(email));
  });
  const recover = new Command("recover").summary(
    "Give the administrator a new key if the first one was lost",
  );
  context.useFolder(context.commonOptions(recover), async ({ modules }, flags) => {
    const { email, key } = await modules.accounts.recoverKey();
    showNew(flags, email, key);
  });
  const make = new Command("new").summary(
    "Make a key for ROSTER_ADMIN_KEY, before the first start; nothing is stored",
  );
  context.commonOptions(make).action((flags: Flags) => {
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
 * Creates the command that accepts the machine's clock after it went back by more than a day. The server is not ready before the
 * command has run.
 */
export function createClockCommand(context: CliContext): Command {
  const accept = new Command("accept").summary("Accept that the machine's clock was set back");
  context.useFolder(context.commonOptions(accept), async ({ modules }) => {
    await modules.quota.acceptClock();
    context.terminal.note(`Calls count from ${context.wiring.now().toISOString()} on.`);
  });
  return new Command("clock").summary("Accept a clock that was set back").addCommand(accept);
}

export function createAssistantCommand(context: CliContext): Command {
  return new Command("assistant")
    .summary("Register assistants where they are not allowed to register themselves")
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
  const { terminal } = context;
  context.commonOptions(command);
  return context.useFolder(command, async ({ modules }, flags, name = "") => {
    const redirectUris = flags["redirect"] as string[];
    const client = await modules.accounts.clients.register({ name, redirectUris });
    printResult(terminal, flags, client, () => {
      terminal.result(client.clientId);
      terminal.note(`Client id of ${name}. It is not secret, and there is no client secret.`);
    });
  });
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list").summary("List the assistants that were registered here");
  return context.readFolder(context.commonOptions(command), async ({ modules }, flags) => {
    const clients = await modules.accounts.clients.list();
    printRows(context.terminal, flags, clients, {
      columns: [
        ["client id", ({ clientId }) => clientId],
        ["name", ({ name }) => name],
        ["redirects", ({ redirectUris }) => redirectUris.join(" ")],
      ],
    });
  });
}

function createRemoveCommand(context: CliContext): Command {
  const command = new Command("remove")
    .summary("Remove an assistant; its connections end at once")
    .argument("<client-id>");
  context.commonOptions(command);
  return context.useFolder(command, async ({ modules }, _, clientId = "") => {
    await modules.accounts.clients.remove(clientId);
    context.terminal.note(`${clientId} is removed.`);
  });
}

/** Creates the command that prints a link. The link gives a user an account, or opens an existing account in a browser. */
export function createInviteCommand(context: CliContext): Command {
  const command = new Command("invite")
    .summary("Print a link for setting a password and signing in")
    .argument("<email>", "e-mail address of the account, which is created if needed")
    .addOption(new Option("--plan <plan>", "plan of a new account").choices([...planNames]))
    .addOption(createAdministratorOption());
  command.addHelpText("after", "\nExample:\n  roster account invite ada@example.com --plan pro");
  return printLink(context, command, "invitation", createIfUnknown);
}

const createIfUnknown: Prepare = async (accounts, email, { plan, administrator }) => {
  const known = await accounts.find(email);
  if (known && administrator && !known.administrator) {
    throw createUsageFault(
      `${email} has an account already; --administrator works only for a new account`,
    );
  }
  if (known && plan && known.plan !== plan) {
    throw createUsageFault(
      `${email} is on the ${known.plan} plan; change it with: roster account set-plan`,
    );
  }
  if (known) return;
  if (!plan) throw createUsageFault(`there is no account ${email} yet; name its plan with --plan`);
  await accounts.createWithoutKey({ email, plan, administrator });
};

export function createResetCommand(context: CliContext): Command {
  const command = new Command("reset")
    .summary("Print a link that sets a new password; it ends the account's sessions and assistants")
    .argument("<email>");
  return printLink(context, command, "reset", async () => {});
}

export function createAdministratorOption(): Option {
  return new Option("--administrator", "create an account that manages the others in the browser");
}

type Prepare = (
  accounts: Accounts,
  email: string,
  newAccount: { readonly plan: Plan | undefined; readonly administrator: boolean },
) => Promise<void>;

function printLink(
  context: CliContext,
  command: Command,
  purpose: LinkPurpose,
  prepare: Prepare,
): Command {
  context
    .commonOptions(command)
    .addOption(
      createSettingOption(
        "publicUrl",
        "address for the link (default: the running server's, else the one in the settings)",
      ),
    );
  const { terminal } = context;
  const print = async ({ modules, findServer }: DataFolder, flags: Flags, email = "") => {
    const { publicUrl } = context.config(flags);
    const plan = flags["plan"] as Plan | undefined;
    const administrator = flags["administrator"] !== undefined;
    await prepare(modules.accounts, email, { plan, administrator });
    const { token, expiresAt } = await modules.accounts.makeLink(email, purpose);
    // Prefers the address of the running server, because this command may read other settings than the server.
    const address = flags["publicUrl"] ? publicUrl : (findServer()?.address ?? publicUrl);
    const link = `${address}${getLinkPath(purpose, token)}`;
    printResult(terminal, flags, { email, link, expiresAt }, () => {
      terminal.result(link);
      terminal.note(
        `The link for ${email} works once, until ${expiresAt.toISOString()}. Send it yourself.`,
      );
    });
  };
  return context.useFolder(command, print, { create: purpose === "invitation" });
}

import { Command, Option } from "commander";
import { createKey, getLinkPath, type LinkPurpose } from "../../../accounts/accounts.ts";
import { type Plan, planNames } from "../../../contract/limits.ts";
import { type CliContext, createSettingOption, createUsageFault } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson, printTable } from "../terminal.ts";

/** `key regenerate|recover|new`. */
export function createKeyCommand(session: CliContext): Command {
  const beside = { create: false, search: false } as const;
  const show = (flags: Record<string, unknown>, key: string, note: string) => {
    if (flags["json"]) printJson(session.terminal, { key });
    else {
      session.terminal.result(key);
      session.terminal.note(note);
    }
  };
  const regenerate = new Command("regenerate")
    .summary("Give an account a new key; the old one is dead at once")
    .argument("<email>");
  session
    .commonOptions(regenerate)
    .action(async (email: string, flags: Record<string, unknown>) => {
      await session.withModules(
        flags,
        async ({ modules }) => {
          const key = await modules.accounts.regenerateKey(email);
          show(flags, key, `New key of ${email}, shown this once. The old one is dead.`);
          return exitCodes.ok;
        },
        beside,
      );
    });
  const recover = new Command("recover").summary(
    "Give the administrator a new key, when the first was lost",
  );
  session.commonOptions(recover).action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        const { email, key } = await modules.accounts.recoverKey();
        show(flags, key, `New key of ${email}, shown this once. The old one is dead.`);
        return exitCodes.ok;
      },
      beside,
    );
  });
  const make = new Command("new").summary(
    "Make a key for ROSTER_ADMIN_KEY, before the first start; nothing is stored",
  );
  session.commonOptions(make).action((flags: Record<string, unknown>) => {
    show(
      flags,
      createKey(),
      "Set ROSTER_ADMIN_KEY or ROSTER_ADMIN_KEY_FILE to it before the first start.",
    );
    session.end(exitCodes.ok);
  });
  return new Command("key")
    .summary("Replace or recover API keys")
    .addCommand(regenerate)
    .addCommand(recover)
    .addCommand(make);
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
        await modules.quota.acceptClock();
        session.terminal.note(`Calls count from ${session.wiring.now().toISOString()} on.`);
        return exitCodes.ok;
      },
      { create: false, search: false },
    );
  });
  return new Command("clock").summary("Settle a clock that went back").addCommand(accept);
}

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

type Accounts = Parameters<Parameters<CliContext["withModules"]>[1]>[0]["modules"]["accounts"];

/** `account invite`: a link by which somebody gets an account, or access by browser to the one they have. */
export function createInviteCommand(session: CliContext): Command {
  const command = new Command("invite")
    .summary("Print a link that lets somebody set a password and sign in")
    .argument("<email>", "address of the account; made when there is none")
    .addOption(new Option("--plan <plan>", "plan of a new account").choices([...planNames]))
    .addOption(createAdministratorOption());
  command.addHelpText("after", "\nExample:\n  roster account invite ada@example.com --plan pro");
  return printing(
    session,
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

/** `account reset`: for whoever forgot the password. */
export function createResetCommand(session: CliContext): Command {
  const command = new Command("reset")
    .summary("Print a link that sets a new password; it ends the account's sessions and assistants")
    .argument("<email>");
  return printing(session, command, "reset", async () => {});
}

export function createAdministratorOption(): Option {
  return new Option("--administrator", "a new account that manages the others in the browser");
}

interface Wanted {
  readonly plan: Plan | undefined;
  readonly administrator: boolean;
}

function printing(
  session: CliContext,
  command: Command,
  purpose: LinkPurpose,
  prepare: (accounts: Accounts, email: string, wanted: Wanted) => Promise<void>,
): Command {
  session
    .commonOptions(command)
    .addOption(
      createSettingOption("publicUrl", "address that people use (default: as the server's)"),
    );
  return command.action(async (email: string, flags: Record<string, string>) => {
    const { publicUrl } = session.config(flags);
    await session.withModules(
      flags,
      async ({ modules }) => {
        const plan = flags["plan"] as Plan | undefined;
        await prepare(modules.accounts, email, {
          plan,
          administrator: flags["administrator"] !== undefined,
        });
        const { token, expiresAt } = await modules.accounts.makeLink(email, purpose);
        const link = `${publicUrl}${getLinkPath(purpose, token)}`;
        if (flags["json"]) printJson(session.terminal, { email, link, expiresAt });
        else {
          session.terminal.result(link);
          session.terminal.note(
            `For ${email}, once, until ${expiresAt.toISOString()}. Hand it over yourself.`,
          );
        }
        return exitCodes.ok;
      },
      { create: purpose === "invitation", search: false },
    );
  });
}

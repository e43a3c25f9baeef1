import { Command, Option } from "commander";
import { getLinkPath, type LinkPurpose } from "../../../../contract/http/link-path.ts";
import { type Plan, planNames } from "../../../../contract/limits.ts";
import { type CliContext, createUsageFault } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { printJson } from "../../terminal.ts";

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
    .option("--public-url <URL>", "address that people use (default: as the server's)");
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

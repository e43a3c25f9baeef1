import { Command, Option } from "commander";
import { type LinkPurpose, linkPath } from "../../../../contract/http/link-path.ts";
import { type Plan, planNames } from "../../../../contract/limits.ts";
import { exitCodes } from "../../exit-code.ts";
import { type Session, usageFault } from "../../session.ts";
import { json } from "../../terminal.ts";

type Accounts = Parameters<Parameters<Session["withRooms"]>[1]>[0]["rooms"]["accounts"];

/** `account invite`: a link by which somebody gets an account, or access by browser to the one they have. */
export function inviteCommand(session: Session): Command {
  const command = new Command("invite")
    .summary("Print a link that lets somebody set a password and sign in")
    .argument("<email>", "address of the account; made when there is none")
    .addOption(new Option("--plan <plan>", "plan of a new account").choices([...planNames]));
  command.addHelpText("after", "\nExample:\n  roster account invite ada@example.com --plan pro");
  return printing(session, command, "invitation", (accounts, email, plan) => {
    const known = accounts.find(email);
    if (known && plan && known.plan !== plan) {
      throw usageFault(
        `${email} is on the ${known.plan} plan; change it with: roster account set-plan`,
      );
    }
    if (!known) {
      if (!plan) throw usageFault(`there is no account ${email} yet; name its plan with --plan`);
      accounts.createWithoutKey({ email, plan });
    }
  });
}

/** `account reset`: for whoever forgot the password. */
export function resetCommand(session: Session): Command {
  const command = new Command("reset")
    .summary("Print a link that sets a new password; it ends the account's sessions and assistants")
    .argument("<email>");
  return printing(session, command, "reset", () => {});
}

function printing(
  session: Session,
  command: Command,
  purpose: LinkPurpose,
  prepare: (accounts: Accounts, email: string, plan: Plan | undefined) => void,
): Command {
  session
    .commonOptions(command)
    .option("--public-url <URL>", "address that people use (default: as the server's)");
  return command.action(async (email: string, flags: Record<string, string>) => {
    const { publicUrl } = session.config(flags);
    await session.withRooms(
      flags,
      async ({ rooms }) => {
        prepare(rooms.accounts, email, flags["plan"] as Plan | undefined);
        const { token, expiresAt } = rooms.accounts.makeLink(email, purpose);
        const link = `${publicUrl}${linkPath(purpose, token)}`;
        if (flags["json"]) json(session.terminal, { email, link, expiresAt });
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

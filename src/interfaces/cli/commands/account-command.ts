import { Command, Option } from "commander";
import type { Account, OwnLimits } from "../../../accounts/accounts.ts";
import { describeMismatch } from "../../../contract/complaint.ts";
import { type Plan, planNames } from "../../../contract/limits.ts";
import { Problem } from "../../../contract/problem.ts";
import { type CliContext, createUsageFault } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { printFields, printJson, printTable } from "../terminal.ts";
import {
  createAdministratorOption,
  createInviteCommand,
  createResetCommand,
} from "./access-commands.ts";

const beside = { create: true, search: false } as const;

/** `account create|list|show|set-plan|disable|enable`. */
export function createAccountCommand(session: CliContext): Command {
  const account = new Command("account").summary("Create and manage accounts");
  account.addCommand(create(session));
  account.addCommand(createInviteCommand(session));
  account.addCommand(createResetCommand(session));
  account.addCommand(list(session));
  account.addCommand(one(session, "show", "Show one account", (email, { find }) => find(email)));
  account.addCommand(setPlan(session));
  account.addCommand(
    one(
      session,
      "disable",
      "Refuse an account from now on: its key, its sessions, its assistants",
      disabling,
    ).option("--yes", "the last administrator as well; `account enable` takes it back"),
  );
  account.addCommand(
    one(
      session,
      "enable",
      "Accept a disabled account's key again, and let it sign in anew",
      (email, { setDisabled }) => setDisabled(email, false),
    ),
  );
  return account;
}

async function disabling(
  email: string,
  { setDisabled }: Accounts,
  flags: Readonly<Record<string, unknown>>,
): Promise<Account> {
  try {
    return await setDisabled(email, true, flags["yes"] === true);
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code !== "invalid_request") throw thrown;
    throw createUsageFault(`${thrown.message}, or say --yes`);
  }
}

function create(session: CliContext): Command {
  const command = new Command("create").summary("Create an account; prints its key, once");
  command
    .argument("<email>", "address of the account's holder")
    .addOption(planOption().makeOptionMandatory())
    .addOption(createAdministratorOption());
  limitOptions(command);
  session.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster account create team@example.com --plan pro");
  return command.action(async (email: string, flags: Record<string, string>) => {
    const administrator = flags["administrator"] !== undefined;
    const account = { email, plan: flags["plan"] as Plan, administrator, ...ownLimits(flags) };
    await session.withModules(
      flags,
      async ({ modules }) => {
        const made = await modules.accounts.create(account);
        if (flags["json"])
          printJson(session.terminal, {
            email: made.account.email,
            plan: made.account.plan,
            key: made.key,
          });
        else {
          session.terminal.result(made.key);
          session.terminal.note(
            `Key of ${made.account.email} (${made.account.plan}). It is shown this once.`,
          );
        }
        return exitCodes.ok;
      },
      beside,
    );
  });
}

function list(session: CliContext): Command {
  const command = new Command("list").summary("List the accounts");
  return session.commonOptions(command).action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        const accounts = await modules.accounts.list();
        if (flags["json"]) printJson(session.terminal, accounts.map(asJson));
        else
          printTable(
            session.terminal,
            ["email", "plan", "per month", "per day", "key", "state"],
            accounts.map(asRow),
          );
        return exitCodes.ok;
      },
      { ...beside, create: false },
    );
  });
}

function setPlan(session: CliContext): Command {
  const command = new Command("set-plan")
    .summary("Change an account's plan or its own limits")
    .description(
      "Changes an account's plan (default: the one it has) and its own limits; own limits that are not " +
        "given again no longer hold. A running server follows at once.",
    );
  command.argument("<email>").addOption(planOption());
  limitOptions(command);
  session.commonOptions(command);
  return command.action(async (email: string, flags: Record<string, string>) => {
    const limits = ownLimits(flags);
    if (!flags["plan"] && Object.keys(limits).length === 0) {
      throw createUsageFault("set-plan needs --plan, --calls-per-month or --calls-per-day");
    }
    const change = async ({ find, setPlan: set }: Accounts) => {
      const plan = (flags["plan"] as Plan | undefined) ?? (await find(email))?.plan;
      return plan && set(email, plan, limits);
    };
    await showing(session, flags, change, email);
  });
}

type Accounts = OpenAccounts["accounts"];
type OpenAccounts = Parameters<Parameters<CliContext["withModules"]>[1]>[0]["modules"];

function one(
  session: CliContext,
  name: string,
  summary: string,
  act: (
    email: string,
    accounts: Accounts,
    flags: Readonly<Record<string, unknown>>,
  ) => Promise<Account | undefined>,
): Command {
  const command = new Command(name).summary(summary).argument("<email>");
  return session
    .commonOptions(command)
    .action(async (email: string, flags: Record<string, unknown>) => {
      await showing(session, flags, (accounts) => act(email, accounts, flags), email);
    });
}

async function showing(
  session: CliContext,
  flags: Record<string, unknown>,
  act: (accounts: Accounts) => Promise<Account | undefined>,
  email = "",
): Promise<void> {
  await session.withModules(
    flags,
    async ({ modules }) => {
      const account = await act(modules.accounts);
      if (!account) {
        session.terminal.note(
          `roster: there is no account ${email}; roster account list shows all`,
        );
        return exitCodes.notFound;
      }
      if (flags["json"]) printJson(session.terminal, asJson(account));
      else printFields(session.terminal, asListing(account));
      return exitCodes.ok;
    },
    { ...beside, create: false },
  );
}

function planOption(): Option {
  return new Option("--plan <plan>", "plan of the account").choices([...planNames]);
}

function limitOptions(command: Command): void {
  command.option(
    "--calls-per-month <N>",
    'a limit of its own, or "unlimited" (default: the plan\'s)',
  );
  command.option(
    "--calls-per-day <N>",
    'a limit of its own, or "unlimited" (default: the plan\'s)',
  );
}

function ownLimits(flags: Record<string, string>): OwnLimits {
  const callsPerMonth = ownLimit("--calls-per-month", flags["callsPerMonth"]);
  const callsPerDay = ownLimit("--calls-per-day", flags["callsPerDay"]);
  return {
    ...(callsPerMonth === undefined ? {} : { callsPerMonth }),
    ...(callsPerDay === undefined ? {} : { callsPerDay }),
  };
}

function ownLimit(flag: string, text: string | undefined): number | "unlimited" | undefined {
  if (text === undefined || text === "unlimited") return text;
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text)) {
    const rule = 'a whole number of calls or "unlimited"';
    throw createUsageFault(`${flag} ${describeMismatch(rule, text)}`);
  }
  return value;
}

/** `limit` -1 is unlimited, as on the wire (decision 22). */
function asJson(account: Account) {
  const { limits, ...rest } = account;
  return {
    ...rest,
    callsPerMonth: limits.callsPerMonth ?? -1,
    callsPerDay: limits.callsPerDay ?? -1,
  };
}

/** For people: what is not known is left out, and no limit is a word. */
function asListing({ limits, ...rest }: Account): (readonly [string, string | undefined])[] {
  const callsPerMonth = limits.callsPerMonth ?? "unlimited";
  const callsPerDay = limits.callsPerDay ?? "unlimited";
  return Object.entries({ ...rest, callsPerMonth, callsPerDay }).map(([name, value]) => [
    name,
    value === undefined ? undefined : String(value),
  ]);
}

function asRow(account: Account): string[] {
  const { callsPerMonth, callsPerDay } = account.limits;
  return [
    account.email,
    account.plan,
    String(callsPerMonth ?? "unlimited"),
    String(callsPerDay ?? "unlimited"),
    account.keyHint ?? "none",
    account.disabled ? "disabled" : account.administrator ? "administrator" : "active",
  ];
}

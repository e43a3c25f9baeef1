import { Command, Option } from "commander";
import type { Account, Accounts, OwnLimits } from "../../../../accounts/accounts.ts";
import { describeMismatch } from "../../../../contract/complaint.ts";
import { Fault } from "../../../../contract/fault.ts";
import { type Plan, planNames } from "../../../../contract/limits.ts";
import { Problem } from "../../../../contract/problem.ts";
import { type CliContext, createUsageFault } from "../../cli-context.ts";
import { printTable } from "../../table.ts";
import { printFields, printJson } from "../../terminal.ts";
import {
  createAdministratorOption,
  createInviteCommand,
  createResetCommand,
} from "./access-commands.ts";

/** `account create|list|show|set-plan|disable|enable`. */
export function createAccountCommand(context: CliContext): Command {
  const account = new Command("account").summary("Create and manage accounts");
  account.addCommand(createCreateCommand(context));
  account.addCommand(createInviteCommand(context));
  account.addCommand(createResetCommand(context));
  account.addCommand(createListCommand(context));
  account.addCommand(
    createAccountAction(context, "show", "Show one account", (email, { find }) => find(email)),
  );
  account.addCommand(createSetPlanCommand(context));
  account.addCommand(
    createAccountAction(
      context,
      "disable",
      "Disable an account: its key, sessions and assistants",
      disable,
    ).option("--yes", "also disable the last administrator; `account enable` takes it back"),
  );
  account.addCommand(
    createAccountAction(
      context,
      "enable",
      "Enable a disabled account: its key works again, and it can sign in",
      (email, { setDisabled }) => setDisabled(email, false),
    ),
  );
  return account;
}

async function disable(
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

function createCreateCommand(context: CliContext): Command {
  const command = new Command("create").summary("Create an account; prints its key, once");
  command
    .argument("<email>", "address of the account's holder")
    .addOption(createPlanOption().makeOptionMandatory())
    .addOption(createAdministratorOption());
  addLimitOptions(command);
  context.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster account create team@example.com --plan pro");
  return command.action(async (email: string, flags: Record<string, string>) => {
    const administrator = flags["administrator"] !== undefined;
    const account = { email, plan: flags["plan"] as Plan, administrator, ...readOwnLimits(flags) };
    await context.withModules(
      flags,
      async ({ modules }) => {
        const made = await modules.accounts.create(account);
        if (flags["json"])
          printJson(context.terminal, {
            email: made.account.email,
            plan: made.account.plan,
            key: made.key,
          });
        else {
          context.terminal.result(made.key);
          context.terminal.note(
            `Key of ${made.account.email} (${made.account.plan}). It is shown this once.`,
          );
        }
      },
      { create: true },
    );
  });
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list").summary("List the accounts");
  return context.commonOptions(command).action(async (flags: Record<string, unknown>) => {
    await context.readModules(flags, async ({ modules }) => {
      const accounts = await modules.accounts.list();
      if (flags["json"]) printJson(context.terminal, accounts.map(toJson));
      else
        printTable(
          context.terminal,
          ["email", "plan", "per month", "per day", "key", "state"],
          accounts.map(toRow),
        );
    });
  });
}

function createSetPlanCommand(context: CliContext): Command {
  const command = new Command("set-plan")
    .summary("Change an account's plan or its own limits")
    .description(
      "Changes an account's plan (default: the one it has) and its own limits; own limits that are not " +
        "given again are removed. A running server applies this at once.",
    );
  command.argument("<email>").addOption(createPlanOption());
  addLimitOptions(command);
  context.commonOptions(command);
  return command.action(async (email: string, flags: Record<string, string>) => {
    const limits = readOwnLimits(flags);
    if (!flags["plan"] && Object.keys(limits).length === 0) {
      throw createUsageFault("set-plan needs --plan, --calls-per-month or --calls-per-day");
    }
    const change = async ({ find, setPlan }: Accounts) => {
      const plan = (flags["plan"] as Plan | undefined) ?? (await find(email))?.plan;
      return plan && setPlan(email, plan, limits);
    };
    await showAccount(context, { flags, isReading: false }, email, change);
  });
}

function createAccountAction(
  context: CliContext,
  name: string,
  summary: string,
  run: (
    email: string,
    accounts: Accounts,
    flags: Readonly<Record<string, unknown>>,
  ) => Promise<Account | undefined>,
): Command {
  const command = new Command(name).summary(summary).argument("<email>");
  return context
    .commonOptions(command)
    .action(async (email: string, flags: Record<string, unknown>) => {
      const isReading = name === "show";
      const act = (accounts: Accounts) => run(email, accounts, flags);
      await showAccount(context, { flags, isReading }, email, act);
    });
}

/** Shows the account that `run` returns; `undefined` means that there is none. */
async function showAccount(
  context: CliContext,
  { flags, isReading }: { readonly flags: Record<string, unknown>; readonly isReading: boolean },
  email: string,
  run: (accounts: Accounts) => Promise<Account | undefined>,
): Promise<void> {
  await context.withModules(
    flags,
    async ({ modules }) => {
      const account = await run(modules.accounts);
      if (!account) {
        throw new Fault("not_found", `there is no account ${email}; roster account list shows all`);
      }
      if (flags["json"]) printJson(context.terminal, toJson(account));
      else printFields(context.terminal, toFields(account));
    },
    { isReading },
  );
}

function createPlanOption(): Option {
  return new Option("--plan <plan>", "plan of the account").choices([...planNames]);
}

function addLimitOptions(command: Command): void {
  command.option(
    "--calls-per-month <N>",
    'a limit of its own, or "unlimited" (default: the plan\'s)',
  );
  command.option(
    "--calls-per-day <N>",
    'a limit of its own, or "unlimited" (default: the plan\'s)',
  );
}

function readOwnLimits(flags: Record<string, string>): OwnLimits {
  const callsPerMonth = readOwnLimit("--calls-per-month", flags["callsPerMonth"]);
  const callsPerDay = readOwnLimit("--calls-per-day", flags["callsPerDay"]);
  return {
    ...(callsPerMonth === undefined ? {} : { callsPerMonth }),
    ...(callsPerDay === undefined ? {} : { callsPerDay }),
  };
}

function readOwnLimit(flag: string, text: string | undefined): number | "unlimited" | undefined {
  if (text === undefined || text === "unlimited") return text;
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text)) {
    const rule = 'a whole number of calls or "unlimited"';
    throw createUsageFault(`${flag} ${describeMismatch(rule, text)}`);
  }
  return value;
}

/** A limit of -1 means unlimited, as on the wire (decision 22). */
function toJson(account: Account) {
  const { limits, ...rest } = account;
  return {
    ...rest,
    callsPerMonth: limits.callsPerMonth ?? -1,
    callsPerDay: limits.callsPerDay ?? -1,
  };
}

/** For people: unknown values are left out, and a missing limit is "unlimited". */
function toFields({ limits, ...rest }: Account): (readonly [string, string | undefined])[] {
  const callsPerMonth = limits.callsPerMonth ?? "unlimited";
  const callsPerDay = limits.callsPerDay ?? "unlimited";
  return Object.entries({ ...rest, callsPerMonth, callsPerDay }).map(([name, value]) => [
    name,
    value === undefined ? undefined : String(value),
  ]);
}

function toRow(account: Account): string[] {
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

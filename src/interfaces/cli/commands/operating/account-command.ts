import { Command, Option } from "commander";
import type { Account, Accounts, OwnLimits } from "../../../../accounts/accounts.ts";
import type { DataFolder } from "../../../../appliance/appliance.ts";
import { describeMismatch } from "../../../../contract/complaint.ts";
import { Fault } from "../../../../contract/fault.ts";
import { type Plan, planNames } from "../../../../contract/limits.ts";
import { Problem } from "../../../../contract/problem.ts";
import { type CliContext, createUsageFault, type Flags } from "../../cli-context.ts";
import { toFlag } from "../../setting-options.ts";
import { printRows } from "../../table.ts";
import { printFields, printResult } from "../../terminal.ts";
import {
  createAdministratorOption,
  createInviteCommand,
  createResetCommand,
} from "./access-commands.ts";

export function createAccountCommand(context: CliContext): Command {
  const act = (name: string, summary: string, run: AccountAction) => {
    const command = new Command(name).summary(summary).argument("<email>");
    return showAccount(context, context.commonOptions(command), run);
  };
  return new Command("account")
    .summary("Create and manage accounts")
    .addCommand(createCreateCommand(context))
    .addCommand(createInviteCommand(context))
    .addCommand(createResetCommand(context))
    .addCommand(createListCommand(context))
    .addCommand(act("show", "Show one account", (email, { find }) => find(email)))
    .addCommand(createSetPlanCommand(context))
    .addCommand(
      act("disable", "Disable an account: its key, sessions and assistants", disable).option(
        "--yes",
        "also disable the last administrator; `account enable` undoes it",
      ),
    )
    .addCommand(
      act(
        "enable",
        "Enable a disabled account: its key and its sign-in work again",
        (email, { setDisabled }) => setDisabled(email, false),
      ),
    );
}

async function disable(email: string, { setDisabled }: Accounts, flags: Flags): Promise<Account> {
  try {
    return await setDisabled(email, true, flags["yes"] === true);
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code !== "invalid_request") throw thrown;
    throw createUsageFault(`${thrown.message}, or add --yes`);
  }
}

function createCreateCommand(context: CliContext): Command {
  const command = new Command("create").summary("Create an account, and print its key once");
  command
    .argument("<email>", "e-mail address of the account")
    .addOption(createPlanOption().makeOptionMandatory())
    .addOption(createAdministratorOption());
  addLimitOptions(command);
  context.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster account create team@example.com --plan pro");
  const { terminal } = context;
  const create = async ({ modules }: DataFolder, flags: Flags, given = "") => {
    const administrator = flags["administrator"] !== undefined;
    const plan = flags["plan"] as Plan;
    const account = { email: given, plan, administrator, ...readOwnLimits(flags) };
    const made = await modules.accounts.create(account);
    const { email } = made.account;
    printResult(terminal, flags, { email, plan, key: made.key }, () => {
      terminal.result(made.key);
      terminal.note(`Key of ${email} (${plan}). It is shown only once.`);
    });
  };
  return context.useFolder(command, create, { create: true });
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list").summary("List the accounts");
  return context.readFolder(context.commonOptions(command), async ({ modules }, flags) => {
    const accounts = await modules.accounts.list();
    printRows(context.terminal, flags, accounts.map(toJson), {
      columns: [
        ["email", ({ email }) => email],
        ["plan", ({ plan }) => plan],
        ["per month", ({ callsPerMonth }) => formatLimit(callsPerMonth)],
        ["per day", ({ callsPerDay }) => formatLimit(callsPerDay)],
        ["key", ({ keyHint }) => keyHint ?? "none"],
        ["state", describeState],
      ],
    });
  });
}

function createSetPlanCommand(context: CliContext): Command {
  const command = new Command("set-plan")
    .summary("Change an account's plan or its individual limits")
    .description(
      "Changes an account's plan and its individual limits. Without --plan, the plan stays. Limits that you do not give are " +
        "removed. A running server applies this at once.",
    );
  command.argument("<email>").addOption(createPlanOption());
  addLimitOptions(command);
  context.commonOptions(command);
  return showAccount(context, command, async (email, { find, setPlan }, flags) => {
    const limits = readOwnLimits(flags);
    if (!flags["plan"] && Object.keys(limits).length === 0) {
      throw createUsageFault("set-plan needs --plan, --calls-per-month or --calls-per-day");
    }
    const plan = (flags["plan"] as Plan | undefined) ?? (await find(email))?.plan;
    return plan && setPlan(email, plan, limits);
  });
}

type AccountAction = (
  email: string,
  accounts: Accounts,
  flags: Flags,
) => Promise<Account | undefined>;

/** Sets the action of a command: prints the account that `run` returns. */
function showAccount(context: CliContext, command: Command, run: AccountAction): Command {
  const { terminal } = context;
  const show = async ({ modules }: DataFolder, flags: Flags, email = "") => {
    const account = await run(email, modules.accounts, flags);
    if (!account) {
      throw new Fault("not_found", `there is no account ${email}; roster account list shows all`);
    }
    printResult(terminal, flags, toJson(account), () => printFields(terminal, toFields(account)));
  };
  return context.useFolder(command, show, { isReading: command.name() === "show" });
}

function createPlanOption(): Option {
  return new Option("--plan <plan>", "plan of the account").choices([...planNames]);
}

const limitNames = ["callsPerMonth", "callsPerDay"] as const;

function addLimitOptions(command: Command): void {
  const about = "the account's own limit, or \"unlimited\" (default: the plan's)";
  for (const name of limitNames) command.option(`${toFlag(name)} <N>`, about);
}

function readOwnLimits(flags: Flags): OwnLimits {
  const given = limitNames.filter((name) => flags[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, readOwnLimit(name, String(flags[name]))]));
}

function readOwnLimit(name: string, text: string): number | "unlimited" {
  if (text === "unlimited") return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const rule = 'a whole number of calls or "unlimited"';
  throw createUsageFault(`${toFlag(name)} ${describeMismatch(rule, text)}`);
}

function toJson(account: Account) {
  const { limits, ...rest } = account;
  return {
    ...rest,
    callsPerMonth: limits.callsPerMonth ?? -1,
    callsPerDay: limits.callsPerDay ?? -1,
  };
}

/** Lists the fields of an account with their labels. A missing limit is shown as `unlimited`. */
function toFields(account: Account): (readonly [string, string | undefined])[] {
  return Object.entries(toJson(account)).map(([name, value]) => [
    name,
    typeof value === "number" ? formatLimit(value) : value?.toString(),
  ]);
}

const formatLimit = (limit: number) => (limit === -1 ? "unlimited" : String(limit));

const describeState = ({ disabled, administrator }: Pick<Account, "disabled" | "administrator">) =>
  disabled ? "disabled" : administrator ? "administrator" : "active";

import { createObject } from "../contract/schema.ts";
import { UsageData } from "../contract/usage.ts";
import { unlimitedOnTheWire, type WindowUsage } from "../control/quota.ts";
import { defineOperation } from "./operation.ts";

export const getUsage = defineOperation({
  name: "get_usage",
  command: "usage",
  summary: "Show the calls used, the limits, and when they reset",
  description:
    "Shows the account's plan and the calls used in this UTC month and day, with their limits. A limit of -1 means " +
    "unlimited. Uses no quota, so it also answers when no call is left.",
  scope: "profile",
  isFree: true,
  isAddition: true,
  isForPrograms: true,
  method: "GET",
  path: "/v1/usage",
  input: createObject({}),
  output: UsageData,
  example: {},
  view: ({ month, day }) => {
    const rows = Object.entries({ month, day }).map(([name, { used, limit, resetsAt }]) => [
      ...[name, used.toLocaleString("en"), limit < 0 ? "unlimited" : limit.toLocaleString("en")],
      resetsAt,
    ]);
    const headings = ["period", "used", "limit", "resets at"];
    return [
      { lines: () => rows.map((row) => row.join(", ")), table: { headings, rows: () => rows } },
    ];
  },
  async run(_, { quota }, caller) {
    const { month, day, trialEndsAt } = await quota.usage(caller);
    return {
      plan: caller.plan,
      month: toPublicWindow(month),
      day: toPublicWindow(day),
      ...(trialEndsAt && { trialEndsAt: trialEndsAt.toISOString() }),
    };
  },
});

const toPublicWindow = ({ used, limit = unlimitedOnTheWire, resetsAt }: WindowUsage) => ({
  ...{ used, limit, resetsAt: resetsAt.toISOString() },
});

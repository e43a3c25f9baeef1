import { createCountSchema, createTextSchema } from "../contract/field-schemas.ts";
import { createComponent, createInstantSchema, createObject, Type } from "../contract/schema.ts";
import { unlimitedOnTheWire, type WindowUsage } from "../control/quota.ts";
import { defineOperation } from "./operation.ts";

const UsageWindow = createComponent("UsageWindow", {
  used: createCountSchema("Calls used."),
  limit: Type.Integer({ minimum: -1, description: "Calls allowed; -1 means unlimited." }),
  resetsAt: createInstantSchema("When the count begins again at 0."),
});

const UsageData = createComponent("UsageData", {
  plan: createTextSchema("Plan of the account: free, pro or enterprise."),
  month: UsageWindow,
  day: UsageWindow,
  trialEndsAt: Type.Optional(createInstantSchema("When the trial of the free plan ends.")),
});

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

/** The answer of `get_usage`. */
import { createCountSchema, createTextSchema } from "./field-schemas.ts";
import { createComponent, createInstantSchema, type Static, Type } from "./schema.ts";

const UsageWindow = createComponent("UsageWindow", {
  used: createCountSchema("Calls used."),
  limit: Type.Integer({ minimum: -1, description: "Calls allowed; -1 means unlimited." }),
  resetsAt: createInstantSchema("When the count begins again at 0."),
});

export const UsageData = createComponent("UsageData", {
  plan: createTextSchema("Plan of the account: free, pro or enterprise."),
  month: UsageWindow,
  day: UsageWindow,
  trialEndsAt: Type.Optional(createInstantSchema("When the trial of the free plan ends.")),
});
export type UsageData = Static<typeof UsageData>;

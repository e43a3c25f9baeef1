import { type Account, getLinkPath, type OwnLimits } from "../../../accounts/accounts.ts";
import { planNames, plans } from "../../../contract/limits.ts";
import { defineChoice, defineOptionalText } from "../form.ts";
import { formatInstant, formatLimit } from "../look/format.ts";
import { Choice, Field, type FormProps } from "../look/forms.tsx";
import type { ActionRefusal, Notice, PageRequest } from "../page.ts";

const limitTitles = { callsPerMonth: "Calls per month", callsPerDay: "Calls per day" } as const;

/** Form fields for the plan of an account, and for limits that replace the plan's limits. */
export const planFields = {
  plan: defineChoice("Plan", planNames),
  callsPerMonth: defineOptionalText(limitTitles.callsPerMonth, 20),
  callsPerDay: defineOptionalText(limitTitles.callsPerDay, 20),
};

/** Shows the fields for plan and limits. @param account undefined in the form for a new account. */
export function PlanFields({ form, account }: { form: FormProps; account?: Account }) {
  const own = account && getOwnLimits(account);
  const options = planNames.map((plan) => ({
    value: plan,
    label: `${plan}: ${formatLimit(plans[plan].callsPerMonth)} a month`,
  }));
  const limits = [
    { name: "callsPerMonth", label: "Per month", value: own?.callsPerMonth?.toString() },
    { name: "callsPerDay", label: "Per day", value: own?.callsPerDay?.toString() },
  ];
  return (
    <>
      <Choice
        form={form}
        name="plan"
        label="Plan"
        options={options}
        value={account?.plan ?? "free"}
      />
      <fieldset>
        <legend>Calls, if other than the plan's</legend>
        <p class="hint">A whole number, or "unlimited".</p>
        <div class="pair">
          {limits.map((limit) => (
            <Field form={form} {...limit} optional />
          ))}
        </div>
      </fieldset>
    </>
  );
}

/** @returns the limits of the account that differ from those of its plan. */
function getOwnLimits({ plan, limits }: Account): OwnLimits {
  const planned = plans[plan];
  const { callsPerMonth: month = "unlimited", callsPerDay: day = "unlimited" } = limits;
  return {
    ...(limits.callsPerMonth === planned.callsPerMonth ? {} : { callsPerMonth: month }),
    ...(limits.callsPerDay === planned.callsPerDay ? {} : { callsPerDay: day }),
  };
}

/** Parses the limits of the form. @returns the limits, or a refusal that names the first invalid limit. */
export function readLimitFields(
  given: Partial<Record<keyof OwnLimits, string>>,
): OwnLimits | ActionRefusal {
  const limits: { -readonly [Name in keyof OwnLimits]: OwnLimits[Name] } = {};
  for (const field of ["callsPerMonth", "callsPerDay"] as const) {
    const text = given[field]?.trim().toLowerCase();
    if (text === undefined) continue;
    if (text !== "unlimited" && !/^[1-9]\d{0,14}$/.test(text)) {
      const rule = `must be a whole number of at least 1, or "unlimited"`;
      return { field, refusal: `${limitTitles[field]} ${rule}.` };
    }
    limits[field] = text === "unlimited" ? text : Number(text);
  }
  return limits;
}

/** Creates a notice that shows a one-time link. The administrator must send the link, because Roster sends no mail. */
export function createLinkNotice(
  text: string,
  purpose: "invitation" | "reset",
  { token, expiresAt }: { readonly token: string; readonly expiresAt: Date },
  { modules }: Pick<PageRequest, "modules">,
): Notice {
  const label = purpose === "invitation" ? "Invitation" : "Link for a new password";
  return {
    text: `${text} Give the holder this link yourself: it is shown this once, and works once, until ${formatInstant(expiresAt)}.`,
    secret: { label, text: `${modules.publicUrl()}${getLinkPath(purpose, token)}` },
  };
}

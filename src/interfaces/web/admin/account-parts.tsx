import { type Account, getLinkPath, type OwnLimits } from "../../../accounts/accounts.ts";
import { type CallLimits, planNames, plans } from "../../../contract/limits.ts";
import { defineChoice, defineOptionalText } from "../form.ts";
import { formatCount, formatInstant } from "../look/format.ts";
import { Choice, Field, type FormProps } from "../look/forms.tsx";
import type { ActionRefusal, Notice, PageRequest } from "../page.ts";

const limitTitles = { callsPerMonth: "Calls per month", callsPerDay: "Calls per day" } as const;

export const planField = { plan: defineChoice("Plan", planNames) };
export const limitFields = {
  callsPerMonth: defineOptionalText(limitTitles.callsPerMonth, 20),
  callsPerDay: defineOptionalText(limitTitles.callsPerDay, 20),
};

/** Formats limits as `50 calls a month, 2,000 a day` or `no monthly limit, 2,000 a day`. */
export function formatLimits({ callsPerMonth: month, callsPerDay: day }: CallLimits): string {
  const monthly = month === undefined ? "no monthly limit" : `${formatCount(month)} calls a month`;
  return `${monthly}, ${day === undefined ? "no daily limit" : `${formatCount(day)} a day`}`;
}

/** @param plan the plan that is chosen at first. Default: no monthly limit, because the colleagues of an administrator pay nothing. */
export function PlanField({ form, plan = "enterprise" }: { form: FormProps; plan?: string }) {
  const options = planNames.map((value) => ({
    ...{ value, label: `${value}: ${formatLimits(plans[value])}` },
  }));
  return <Choice form={form} name="plan" label="Plan" options={options} value={plan} />;
}

/** Fields for the limits that replace those of the plan. */
export function LimitFields({ form, account }: { form: FormProps; account: Account }) {
  const own = getOwnLimits(account);
  return (
    <fieldset>
      <legend>Own limits</legend>
      <p class="hint">A whole number or "unlimited". Leave empty for the limits of the plan.</p>
      <div class="pair">
        {(["callsPerMonth", "callsPerDay"] as const).map((name) => (
          <Field
            form={form}
            name={name}
            label={limitTitles[name]}
            value={own[name]?.toString()}
            optional
          />
        ))}
      </div>
    </fieldset>
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
    text: `${text} Send this link yourself: Roster shows it only now. It works once, until ${formatInstant(expiresAt)}.`,
    secret: { label, text: `${modules.publicUrl()}${getLinkPath(purpose, token)}` },
  };
}

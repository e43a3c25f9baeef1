import { getLinkPath, type OwnLimits } from "../../../accounts/accounts.ts";
import { planNames } from "../../../contract/limits.ts";
import { defineChoice, defineOptionalText } from "../form.ts";
import { formatInstant } from "../look/format.ts";
import { Field, type FormProps } from "../look/forms.tsx";
import type { ActionRefusal, Notice, PageRequest } from "../page.ts";

export const planField = defineChoice("Plan", planNames);

const limitTitles = { callsPerMonth: "Calls per month", callsPerDay: "Calls per day" } as const;

/** Form fields for an account's own limits. */
export const limitFields = {
  callsPerMonth: defineOptionalText(limitTitles.callsPerMonth, 20),
  callsPerDay: defineOptionalText(limitTitles.callsPerDay, 20),
};

interface LimitFieldsProperties {
  readonly form: FormProps;
  /** The account's own limits. */
  readonly own: OwnLimits;
}

export function LimitFields({ form, own }: LimitFieldsProperties) {
  return (
    <fieldset>
      <legend>Calls, if other than the plan's</legend>
      <p class="hint">A whole number, or "unlimited".</p>
      <div class="pair">
        <Field
          form={form}
          name="callsPerMonth"
          label="Per month"
          value={own.callsPerMonth?.toString()}
          optional
        />
        <Field
          form={form}
          name="callsPerDay"
          label="Per day"
          value={own.callsPerDay?.toString()}
          optional
        />
      </div>
    </fieldset>
  );
}

type Given = Readonly<Partial<Record<keyof OwnLimits, string>>>;

/** Parses the account's own limits. @returns a refusal for the first invalid one. */
export function readLimitFields(given: Given): OwnLimits | ActionRefusal {
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

/** Creates the notice that shows a one-time link to the administrator once, since Roster sends no mail. */
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

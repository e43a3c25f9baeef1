import { type Account, getLinkPath, type OwnLimits } from "../../../accounts/accounts.ts";
import { planNames, plans } from "../../../contract/limits.ts";
import { Problem } from "../../../contract/problem.ts";
import { addUp, formatLimits, historyDays, readCallHistory } from "../account/call-history.tsx";
import { defineChoice, defineOptionalText, emailField } from "../form.ts";
import { formatCount, formatCounted, formatInstant } from "../look/format.ts";
import { Choice, Field, Form, type FormProps, isRefused } from "../look/forms.tsx";
import { DataTable, ListSearch, PageLinks, readPage, readSearched } from "../look/lists.tsx";
import { Ago, Badge, EmailAddress, Popup } from "../look/parts.tsx";
import {
  type ActionRefusal,
  defineAdministratorPage,
  defineConfirmed,
  type Notice,
  type PageRequest,
  type SignedInRequest,
  toSentence,
} from "../page.ts";

const path = "/admin/accounts";
const rowsMax = 50;

const limitTitles = { callsPerMonth: "Calls per month", callsPerDay: "Calls per day" } as const;

export const planField = { plan: defineChoice("Plan", planNames) };
export const limitFields = {
  callsPerMonth: defineOptionalText(limitTitles.callsPerMonth, 20),
  callsPerDay: defineOptionalText(limitTitles.callsPerDay, 20),
};

export const accountsPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const all = await ask.modules.accounts.list();
    const { byAccount } = await readCallHistory(ask);
    const body = renderAccounts(ask, all, ({ id }) => addUp(byAccount.get(id) ?? []));
    return { title: "Accounts", actions: renderInvite(ask), body, moves: true };
  },
  actions: {
    create: defineConfirmed({ email: emailField, ...planField }, async (ask, { email, plan }) => {
      const accounts = ask.modules.actingAs(ask.visitor.account.id);
      try {
        await accounts.createWithoutKey({ email, plan });
      } catch (thrown) {
        if (!(thrown instanceof Problem) || thrown.code !== "invalid_request") throw thrown;
        return { field: "email", refusal: toSentence(thrown.message) };
      }
      const link = await accounts.makeLink(email, "invitation");
      const notice = createLinkNotice(`${email} has an account.`, "invitation", link, ask);
      return { goTo: path, notice };
    }),
  },
});

function renderInvite(ask: SignedInRequest) {
  const form = { ask, act: "create" };
  return (
    <Popup label="Invite someone" isOpen={isRefused(form)}>
      <Form {...form} submit="Create the invitation" password="unless recent">
        <Field form={form} name="email" label="E-mail" type="email" />
        <PlanField form={form} />
      </Form>
    </Popup>
  );
}

function renderAccounts(
  { url, now }: SignedInRequest,
  all: readonly Account[],
  countCalls: (account: Account) => number,
) {
  const q = readSearched(url);
  const found = all.filter(({ email }) => email.toLowerCase().includes(q.toLowerCase()));
  const total = found.length;
  const page = readPage(url, rowsMax, total);
  return (
    <section class="card" aria-label="All accounts">
      <ListSearch
        path={path}
        label="E-mail contains"
        value={q}
        hx-get={path}
        hx-trigger="input changed delay:250ms"
        hx-target="#found"
        hx-select="#found"
        hx-swap="outerHTML"
      />
      <div id="found" class="stack-wide">
        <p class="small muted" role="status">
          {total < all.length && `${formatCount(total)} of `}
          {formatCounted(all.length, "account")}
        </p>
        <DataTable
          columns={[
            ["E-mail", renderAccount],
            ["Plan", ({ plan }) => plan],
            ["Limits", ({ limits }) => formatLimits(limits), "wide"],
            [`Calls, ${historyDays} days`, (one) => formatCount(countCalls(one)), "number"],
            ["Key last used", ({ keyLastUsedAt }) => <Ago at={keyLastUsedAt} now={now} />, "wide"],
          ]}
          rows={found.slice((page - 1) * rowsMax, page * rowsMax)}
          empty={`No e-mail contains "${q}".`}
        />
        <PageLinks label="Pages of the list" size={rowsMax} {...{ url, page, total }} />
      </div>
    </section>
  );
}

const renderAccount = (account: Account) => (
  <>
    <a href={`${path}/${account.id}`}>
      <EmailAddress email={account.email} />
    </a>{" "}
    <AccountState {...account} />
  </>
);

export const AccountState = ({ administrator, disabled }: Account) => (
  <>
    {administrator && <Badge>administrator</Badge>}
    {disabled && <Badge tone="bad">disabled</Badge>}
  </>
);

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

import { type Account, getLinkPath, type OwnLimits } from "../../../accounts/accounts.ts";
import { planNames, plans } from "../../../contract/limits.ts";
import { Problem } from "../../../contract/problem.ts";
import {
  addUp,
  formatLimits,
  historyDays,
  readCallHistory,
  renderCalls,
} from "../account/call-history.tsx";
import { defineChoice, defineOptionalText, emailField } from "../form.ts";
import { formatCount, formatCounted, formatInstant } from "../look/format.ts";
import { Choice, Field, Form, type FormProps, GuardedForm, isRefused } from "../look/forms.tsx";
import { DataTable, ListSearch, PageLinks, readPage, readSearched } from "../look/lists.tsx";
import { Ago, Badge, EmailAddress, FactList, Panel, Popup } from "../look/parts.tsx";
import {
  type ActionRefusal,
  defineAction,
  defineAdministratorPage,
  defineButton,
  defineConfirmed,
  type Notice,
  type PageRequest,
  requireFound,
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

export const accountPage = defineAdministratorPage({
  path: "/admin/accounts/:id",
  show: async (ask) => {
    const account = await getAccount(ask);
    const { now } = ask;
    const form = { ask, act: "plan" };
    const heading = (
      <div class="heading">
        <h1>
          <EmailAddress email={account.email} />
        </h1>
        <AccountState {...account} />
      </div>
    );
    const body = (
      <div class="with-side">
        <div class="stack-wide">
          {await renderCalls(ask, account.id)}
          <Panel title="Plan">
            <Form {...form} submit="Save">
              <PlanField form={form} plan={account.plan} />
              <LimitFields form={form} account={account} />
            </Form>
          </Panel>
        </div>
        <div class="side">
          <Panel title="About">
            <FactList
              facts={[
                ["Created", <Ago at={account.createdAt} now={now} />],
                ["API key", account.keyHint ? <code>{account.keyHint}</code> : "none"],
                ["Key last used", <Ago at={account.keyLastUsedAt} now={now} />],
                ["Id", <code>{account.id}</code>],
              ]}
            />
          </Panel>
          <Panel title="Access">{renderAccess(ask, account)}</Panel>
        </div>
      </div>
    );
    const back = { to: "/admin/accounts", label: "All accounts" };
    return { title: account.email, heading, back, body };
  },
  actions: {
    plan: defineAction({ ...planField, ...limitFields }, (ask, { plan, ...own }) => {
      const limits = readLimitFields(own);
      if ("refusal" in limits) return limits;
      return changeAccount(ask, async ({ email }) => {
        await getAccounts(ask).setPlan(email, plan, limits);
        return "Saved. The plan applies from the next call.";
      });
    }),
    disable: defineButton(async (ask) => {
      if ((await getAccount(ask)).id === ask.visitor.account.id) {
        return { refusal: "Only another administrator can disable your account." };
      }
      return changeAccount(ask, async ({ email }) => {
        await getAccounts(ask).setDisabled(email, true);
        return `${email} is disabled. Its key, sessions and assistants are refused.`;
      });
    }),
    enable: defineButton((ask) =>
      changeAccount(ask, async ({ email }) => {
        await getAccounts(ask).setDisabled(email, false);
        return `${email} is enabled.`;
      }),
    ),
    invitation: defineConfirmed({}, (ask) => makeLink(ask, "invitation")),
    reset: defineConfirmed({}, (ask) => makeLink(ask, "reset")),
  },
});

async function getAccount({ params, modules }: SignedInRequest): Promise<Account> {
  const account = (await modules.accounts.list()).find(({ id }) => id === params["id"]);
  return requireFound(account, "There is no such account.");
}

const getAccounts = ({ modules, visitor }: SignedInRequest) => modules.actingAs(visitor.account.id);

async function changeAccount(ask: SignedInRequest, change: (account: Account) => Promise<string>) {
  const text = await change(await getAccount(ask));
  return { goTo: ask.url.pathname, notice: { text } };
}

/** Makes a one-time link. The password is needed, because the link gives access to the account. */
async function makeLink(ask: SignedInRequest, purpose: "invitation" | "reset") {
  const { email, disabled } = await getAccount(ask);
  if (disabled) return { refusal: "This account is disabled. Enable it first." };
  const link = await getAccounts(ask).makeLink(email, purpose);
  const notice = createLinkNotice(`The link for ${email} is ready.`, purpose, link, ask);
  return { goTo: ask.url.pathname, notice };
}

function renderAccess(ask: SignedInRequest, account: Account) {
  const needsPassword = ask.visitor.hasPassword && !ask.visitor.isFresh;
  const form = { ask, tone: "plain", inline: !needsPassword, password: "unless recent" } as const;
  if (account.disabled) {
    return (
      <>
        <p>This account is disabled. Its key, sessions and assistants are refused.</p>
        <Form ask={ask} act="enable" submit="Enable the account" tone="plain" />
      </>
    );
  }
  return (
    <>
      <p>
        A link lets the person choose a password, for the first time or again. A new link ends the
        one before.
      </p>
      <div class={needsPassword ? "stack" : "actions"}>
        <Form {...form} act="invitation" submit="Create an invitation" />
        <Form {...form} act="reset" submit="Create a password link" />
      </div>
      {account.id === ask.visitor.account.id ? (
        <p class="small muted">This is your account. You cannot disable it yourself.</p>
      ) : (
        <GuardedForm ask={ask} act="disable" label="Disable the account" submit="Disable">
          <p>Its key, sessions and assistants stop working at once. Nothing is deleted.</p>
        </GuardedForm>
      )}
    </>
  );
}

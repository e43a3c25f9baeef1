import type { Account } from "../../../accounts/accounts.ts";
import { renderCalls } from "../account/call-history.tsx";
import { Form, GuardedForm } from "../look/forms.tsx";
import { Ago, EmailAddress, FactList, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineButton,
  defineConfirmed,
  requireFound,
  type SignedInRequest,
} from "../page.ts";
import {
  AccountState,
  createLinkNotice,
  LimitFields,
  limitFields,
  PlanField,
  planField,
  readLimitFields,
} from "./accounts-page.tsx";

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

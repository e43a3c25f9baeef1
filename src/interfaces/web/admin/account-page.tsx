import type { Account } from "../../../accounts/accounts.ts";
import { Problem } from "../../../contract/problem.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { Form, GuardedForm } from "../look/forms.tsx";
import { Meters } from "../look/meter.tsx";
import { Ago, EmailAddress, FactList, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  defineButton,
  type PageRequest,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { createLinkNotice, PlanFields, planFields, readLimitFields } from "./account-parts.tsx";
import { State } from "./accounts-page.tsx";

export const accountPage = defineAdministratorPage({
  path: "/admin/accounts/:id",
  show: async (ask) => {
    const account = await getAccount(ask);
    const { now } = ask;
    const usage = await ask.modules.quota.usage({ accountId: account.id });
    const planForm = { ask, act: "plan" };
    const heading = (
      <div class="heading">
        <h1>
          <EmailAddress email={account.email} />
        </h1>
        <State {...account} />
      </div>
    );
    const body = (
      <>
        <Meters usage={usage} now={now} />
        <Panel title="About">
          <FactList
            facts={[
              ["Made", <Ago at={account.createdAt} now={now} />],
              ["API key", account.keyHint ? <code>{account.keyHint}</code> : "none yet"],
              ["Key last used", <Ago at={account.keyLastUsedAt} now={now} />],
              ["Id", <code>{account.id}</code>],
            ]}
          />
        </Panel>
        <Panel title="Plan and limits">
          <Form {...planForm} submit="Save">
            <PlanFields form={planForm} account={account} />
          </Form>
        </Panel>
        <Panel title="Access">
          <Access ask={ask} account={account} />
        </Panel>
      </>
    );
    const back = { to: "/admin/accounts", label: "All accounts" };
    return { title: account.email, heading, back, body };
  },
  actions: {
    plan: defineAction(planFields, (ask, { plan, ...own }) => {
      const limits = readLimitFields(own);
      if ("refusal" in limits) return limits;
      return changeAccount(ask, async ({ email }) => {
        await getAccounts(ask).setPlan(email, plan, limits);
        return "The plan and limits apply from the next call on.";
      });
    }),
    disable: defineButton(async (ask) => {
      if ((await getAccount(ask)).id === ask.visitor.account.id) {
        return { refusal: "This is your own account: only another administrator can disable it." };
      }
      return changeAccount(ask, async ({ email }) => {
        await getAccounts(ask).setDisabled(email, true);
        return `${email} is disabled: its key, sessions and assistants are refused from now on.`;
      });
    }),
    enable: defineButton((ask) =>
      changeAccount(ask, async ({ email }) => {
        await getAccounts(ask).setDisabled(email, false);
        return `${email} is enabled again.`;
      }),
    ),
    invitation: defineAction(passwordIfAsked, (ask, { password }) =>
      makeLink(ask, "invitation", password),
    ),
    reset: defineAction(passwordIfAsked, (ask, { password }) => makeLink(ask, "reset", password)),
  },
});

async function getAccount({ params, modules }: PageRequest): Promise<Account> {
  const account = (await modules.accounts.list()).find(({ id }) => id === params["id"]);
  if (account) return account;
  throw new Problem("not_found", { message: "There is no such account." });
}

const getAccounts = ({ modules, visitor }: SignedInRequest) => modules.actingAs(visitor.account.id);

async function changeAccount(
  ask: SignedInRequest,
  change: (account: Account) => Promise<string>,
): Promise<ActionOutcome> {
  const text = await change(await getAccount(ask));
  return { goTo: ask.url.pathname, notice: { text } };
}

/** Makes a one-time link. The password is needed, because the link gives access to the account. */
async function makeLink(
  ask: SignedInRequest,
  purpose: "invitation" | "reset",
  password: string | undefined,
): Promise<ActionOutcome> {
  const { email, disabled } = await getAccount(ask);
  if (disabled) return { refusal: "The account is disabled: enable it first." };
  return runConfirmed(ask, password, async () => {
    const link = await getAccounts(ask).makeLink(email, purpose);
    const notice = createLinkNotice(`A link for ${email} is made.`, purpose, link, ask);
    return { goTo: ask.url.pathname, notice };
  });
}

function Access({ ask, account }: SignedInProperties & { readonly account: Account }) {
  const links = [
    ["Make an invitation", { ask, act: "invitation" }],
    ["Make a reset link", { ask, act: "reset" }],
  ] as const;
  const needsPassword = ask.visitor.hasPassword && !ask.visitor.isFresh;
  if (account.disabled) {
    return (
      <>
        <p>Its key, its sessions and its assistants are refused.</p>
        <Form ask={ask} act="enable" submit="Enable the account" tone="plain" />
      </>
    );
  }
  return (
    <>
      <p>
        A link lets the holder choose a password: an invitation for a new person, a new password for
        a person who lost theirs. Making one ends the one before it.
      </p>
      <div class={needsPassword ? "stack" : "actions"}>
        {links.map(([submit, form]) => (
          <Form {...form} submit={submit} tone="plain" inline={!needsPassword}>
            <PasswordIfAsked form={form} />
          </Form>
        ))}
      </div>
      {account.id === ask.visitor.account.id ? (
        <p class="muted">This is your own account, so it cannot be disabled here.</p>
      ) : (
        <GuardedForm ask={ask} act="disable" label="Disable the account" submit="Disable">
          <p>Its key, its sessions and its assistants are refused at once. Nothing is deleted.</p>
        </GuardedForm>
      )}
    </>
  );
}

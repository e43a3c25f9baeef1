import type { Account } from "../../../accounts/accounts.ts";
import { Problem } from "../../../contract/problem.ts";
import { addUp, historyDays, readCallHistory } from "../account/call-history.tsx";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { emailField } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Field, Form, isRefused } from "../look/forms.tsx";
import { DataTable, ListSearch, PageLinks, readPage, readSearched } from "../look/lists.tsx";
import { Ago, Badge, EmailAddress, Popup } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import { createLinkNotice, formatLimits, PlanField, planField } from "./account-parts.tsx";

const path = "/admin/accounts";
const rowsMax = 50;

export const accountsPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const all = await ask.modules.accounts.list();
    const { byAccount } = await readCallHistory(ask);
    const body = renderAccounts(ask, all, ({ id }) => addUp(byAccount.get(id) ?? []));
    return { title: "Accounts", actions: renderInvite(ask), body, moves: true };
  },
  actions: {
    create: defineAction(
      { email: emailField, ...planField, ...passwordIfAsked },
      async (ask, { email, plan, password }) => {
        const accounts = ask.modules.actingAs(ask.visitor.account.id);
        return runConfirmed(ask, password, async () => {
          try {
            await accounts.createWithoutKey({ email, plan });
          } catch (thrown) {
            if (!(thrown instanceof Problem) || thrown.code !== "invalid_request") throw thrown;
            return { field: "email", refusal: toSentence(thrown.message) };
          }
          const link = await accounts.makeLink(email, "invitation");
          const notice = createLinkNotice(`${email} has an account.`, "invitation", link, ask);
          return { goTo: path, notice };
        });
      },
    ),
  },
});

function renderInvite(ask: SignedInRequest) {
  const form = { ask, act: "create" };
  return (
    <Popup label="Invite someone" isOpen={isRefused(form)}>
      <Form {...form} submit="Create the invitation">
        <Field form={form} name="email" label="E-mail" type="email" />
        <PlanField form={form} />
        <PasswordIfAsked form={form} />
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
        <PageLinks
          label="Pages of the list"
          {...{ page, total }}
          size={rowsMax}
          toPage={(number) =>
            `${path}?${new URLSearchParams({ ...(q && { q }), page: String(number) })}`
          }
        />
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

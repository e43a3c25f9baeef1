import type { Account } from "../../../accounts/accounts.ts";
import { Problem } from "../../../contract/problem.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { emailField } from "../form.ts";
import { formatCount, formatLimit } from "../look/format.ts";
import { Disclosure, Field, Form } from "../look/forms.tsx";
import { DataTable, ListSearch, readPage, readSearched } from "../look/lists.tsx";
import { Ago, Badge, EmailAddress, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  type SignedInProperties,
  toSentence,
} from "../page.ts";
import { createLinkNotice, PlanFields, planFields, readLimitFields } from "./account-parts.tsx";

const path = "/admin/accounts";
const rowsMax = 50;

export const accountsPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const all = await ask.modules.accounts.list();
    const body = (
      <>
        <Panel title="New account">
          <Create ask={ask} />
        </Panel>
        <KnownLists ask={ask} all={all} />
      </>
    );
    return { title: "Accounts", body, moves: true };
  },
  actions: {
    create: defineAction(
      { email: emailField, ...planFields, ...passwordIfAsked },
      async (ask, { email, plan, password, ...own }) => {
        const limits = readLimitFields(own);
        if ("refusal" in limits) return limits;
        const accounts = ask.modules.actingAs(ask.visitor.account.id);
        return runConfirmed(ask, password, async () => {
          try {
            await accounts.createWithoutKey({ email, plan, ...limits });
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

function Create({ ask }: SignedInProperties) {
  const form = { ask, act: "create" };
  return (
    <Disclosure form={form} label="Make an account and its invitation">
      <Form {...form} submit="Make the account">
        <Field form={form} name="email" label="E-mail" type="email" />
        <PlanFields form={form} />
        <PasswordIfAsked form={form} />
      </Form>
    </Disclosure>
  );
}

/** Lists the accounts that match the search box. */
function KnownLists({ ask, all }: SignedInProperties & { readonly all: readonly Account[] }) {
  const { url, now } = ask;
  const searchText = readSearched(url);
  const found = all.filter(({ email }) => email.toLowerCase().includes(searchText.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / rowsMax));
  const page = readPage(url, rowsMax, found.length);
  const shown = found.slice((page - 1) * rowsMax, page * rowsMax);
  const toPage = (number: number) =>
    `${path}?${new URLSearchParams({ ...(searchText && { q: searchText }), page: String(number) })}`;
  return (
    <Panel title="All accounts" id="listing">
      <ListSearch
        path={path}
        label="E-mail contains"
        value={searchText}
        hx-get={path}
        hx-trigger="input changed delay:250ms"
        hx-target="#found"
        hx-select="#found"
        hx-swap="outerHTML"
      />
      <div id="found" class="stack-wide">
        <p class="muted" role="status">
          {formatCount(found.length)} of {formatCount(all.length)} accounts
        </p>
        <DataTable
          columns={[
            [
              "E-mail",
              (account) => (
                <>
                  <a href={`${path}/${account.id}`}>
                    <EmailAddress email={account.email} />
                  </a>{" "}
                  <State {...account} />
                </>
              ),
            ],
            ["Plan", ({ plan }) => plan],
            ["Per month", ({ limits }) => formatLimit(limits.callsPerMonth), "number wide"],
            ["Per day", ({ limits }) => formatLimit(limits.callsPerDay), "number wide"],
            ["Key last used", ({ keyLastUsedAt }) => <Ago at={keyLastUsedAt} now={now} />, "wide"],
          ]}
          rows={shown}
          empty={`No account has "${searchText}" in its e-mail.`}
        />
        {pages > 1 && (
          <nav class="actions" aria-label="Pages of the list">
            {page > 1 && <a href={toPage(page - 1)}>Earlier</a>}
            <span class="muted">
              page {page} of {pages}
            </span>
            {page < pages && <a href={toPage(page + 1)}>Later</a>}
          </nav>
        )}
      </div>
    </Panel>
  );
}

export function State({ administrator, disabled }: Pick<Account, "administrator" | "disabled">) {
  return (
    <>
      {administrator && <Badge>administrator</Badge>}
      {disabled && <Badge tone="bad">disabled</Badge>}
    </>
  );
}

import type { Account } from "../../../accounts/accounts.ts";
import { planNames } from "../../../contract/limits.ts";
import { Type } from "../../../contract/schema.ts";
import { confirmPassword, passwordIfAsked } from "../confirm-password.tsx";
import { defineChoice, defineText } from "../form.ts";
import { formatCount, formatLimit } from "../look/format.ts";
import { Choice, Field, Form, PasswordAgain, PasswordProtected, Problems } from "../look/forms.tsx";
import { Ago, Badge, EmailAddress, EmptyState, NoticeBox, Panel } from "../look/parts.tsx";
import {
  catchInvalidRequest,
  defineAction,
  defineAdministratorPage,
  type SignedInRequest,
} from "../page.ts";
import { createLinkNotice, LimitFields, limitFields, readLimitFields } from "./account-parts.tsx";

const rowsMax = 50;

/** All accounts, with a search by part of the e-mail and a form for new ones. */
export const accountsPage = defineAdministratorPage({
  path: "/admin/accounts",
  show: async (ask) => {
    const all = await ask.modules.accounts.list();
    const body = (
      <>
        <h1>Accounts</h1>
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
        <Panel title="New account">
          <PasswordProtected ask={ask} act="create" label="Make an account and its invitation">
            <Create ask={ask} />
          </PasswordProtected>
        </Panel>
        <Listing ask={ask} all={all} />
      </>
    );
    return { title: "Accounts", body, moves: true };
  },
  actions: {
    create: defineAction(
      Type.Object({
        email: defineText("E-mail", 254),
        plan: defineChoice("Plan", planNames),
        ...limitFields,
        ...passwordIfAsked,
      }),
      async (ask: SignedInRequest, { email, plan, password, ...own }) => {
        const limits = readLimitFields(own);
        if ("refusal" in limits) return limits;
        const proof = await confirmPassword(ask, password);
        if ("refusal" in proof) return proof;
        const accounts = ask.modules.actingAs(ask.visitor.account.id);
        const outcome = await catchInvalidRequest("email", async () => {
          await accounts.createWithoutKey({ email, plan, ...limits });
          const link = await accounts.makeLink(email, "invitation");
          const notice = createLinkNotice(`${email} has an account.`, "invitation", link, ask);
          return { goTo: "/admin/accounts", notice };
        });
        return { ...outcome, cookies: proof.cookies };
      },
    ),
  },
});

function Create({ ask }: { readonly ask: SignedInRequest }) {
  const form = { ask, act: "create" };
  const { hasPassword, isFresh } = ask.visitor;
  return (
    <Form {...form} submit="Make the account">
      <Field form={form} name="email" label="E-mail" type="email" />
      <Choice
        form={form}
        name="plan"
        label="Plan"
        options={planNames.map((plan) => ({ value: plan, label: plan }))}
        value="free"
      />
      <LimitFields form={form} own={{}} />
      {hasPassword && !isFresh && <PasswordAgain form={form} />}
    </Form>
  );
}

/** Lists the accounts found; with htmx the list follows what is typed into the search box. */
function Listing({
  ask,
  all,
}: {
  readonly ask: SignedInRequest;
  readonly all: readonly Account[];
}) {
  const { url, now } = ask;
  const searchText = (url.searchParams.get("q") ?? "").trim();
  const found = all.filter(({ email }) => email.toLowerCase().includes(searchText.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / rowsMax));
  const page = Math.min(pages, Math.max(1, Number(url.searchParams.get("page")) || 1));
  const shown = found.slice((page - 1) * rowsMax, page * rowsMax);
  return (
    <section class="card" aria-labelledby="listing">
      <h2 id="listing">All accounts</h2>
      <search>
        <form class="search" method="get" action="/admin/accounts">
          <div class="field">
            <label for="q">E-mail contains</label>
            <input
              id="q"
              name="q"
              type="search"
              value={searchText}
              autocomplete="off"
              hx-get="/admin/accounts"
              hx-trigger="input changed delay:250ms"
              hx-target="#found"
              hx-select="#found"
              hx-swap="outerHTML"
            />
          </div>
          <button type="submit" class="plain">
            Search
          </button>
        </form>
      </search>
      <div id="found" class="stack-wide">
        <p class="muted" role="status">
          {formatCount(found.length)} of {formatCount(all.length)} accounts
        </p>
        {found.length === 0 ? (
          <EmptyState>No account has "{searchText}" in its e-mail.</EmptyState>
        ) : (
          <Table accounts={shown} now={now} />
        )}
        {pages > 1 && <Pagination {...{ page, pages, searchText }} />}
      </div>
    </section>
  );
}

function Table({ accounts, now }: { readonly accounts: readonly Account[]; readonly now: Date }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">E-mail</th>
          <th scope="col">Plan</th>
          <th scope="col" class="number wide">
            Per month
          </th>
          <th scope="col" class="number wide">
            Per day
          </th>
          <th scope="col" class="wide">
            Key last used
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ id, email, plan, limits, keyLastUsedAt, ...account }) => (
          <tr>
            <th scope="row">
              <a href={`/admin/accounts/${id}`}>
                <EmailAddress email={email} />
              </a>{" "}
              <State {...account} />
            </th>
            <td>{plan}</td>
            <td class="number wide">{formatLimit(limits.callsPerMonth)}</td>
            <td class="number wide">{formatLimit(limits.callsPerDay)}</td>
            <td class="wide">
              <Ago at={keyLastUsedAt} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Badges for accounts that are not ordinary ones. */
export function State({ administrator, disabled }: Pick<Account, "administrator" | "disabled">) {
  return (
    <>
      {administrator && <Badge>administrator</Badge>}
      {disabled && <Badge tone="bad">disabled</Badge>}
    </>
  );
}

interface PaginationProperties {
  readonly page: number;
  readonly pages: number;
  readonly searchText: string;
}

function Pagination({ page, pages, searchText }: PaginationProperties) {
  const to = (target: number) =>
    `/admin/accounts?${new URLSearchParams({ ...(searchText ? { q: searchText } : {}), page: String(target) })}`;
  return (
    <nav class="actions" aria-label="Pages of the list">
      {page > 1 && <a href={to(page - 1)}>Earlier</a>}
      <span class="muted">
        page {page} of {pages}
      </span>
      {page < pages && <a href={to(page + 1)}>Later</a>}
    </nav>
  );
}

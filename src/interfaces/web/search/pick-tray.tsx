/**
 * The tray shows the people who are selected, and what to do with them. Their logins are in the address, so the people stay
 * selected on other pages of results.
 */
import type { Html } from "../look/jsx-runtime.ts";
import type { SignedInRequest } from "../page.ts";
import { comparedMax, type SearchFilters } from "./search-query.ts";

/** Reads the names of the selected people whom a page has already shown to this account. */
export async function readNames(
  { modules, calls, visitor }: SignedInRequest,
  logins: readonly string[],
): Promise<(login: string) => string> {
  const shown = logins.filter((login) => calls.wasShown(visitor.account.id, login));
  const cards = await modules.pool.findCards(shown);
  const names = new Map(shown.map((login, at) => [login, cards[at]?.name]));
  return (login) => names.get(login) ?? login;
}

/** Shows the people who are selected elsewhere, and buttons for all who are selected. @param here the logins on this page. */
export async function renderPicked(
  ask: SignedInRequest,
  { picks }: SearchFilters,
  here: readonly string[],
): Promise<Html> {
  const own = new Set(here.map((login) => login.toLowerCase()));
  const nameOf = await readNames(ask, picks);
  const others = picks.filter((login) => !own.has(login.toLowerCase()));
  return (
    <section class="tray" aria-label="Selected people" data-max={comparedMax}>
      <p role="status">{picks.length > 0 ? `${picks.length} selected` : "Selected people"}</p>
      <ul class="tray-people">
        {others.map((login) => (
          <li data-login={login} data-name={nameOf(login)}>
            <label>
              <input type="checkbox" form="search" name="login" value={login} checked />{" "}
              {nameOf(login)}
            </label>
          </li>
        ))}
      </ul>
      <div class="actions">
        {actions.map(([label, to, tone]) => (
          <button type="submit" form="search" formaction={to} class={["small-button", tone]}>
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}

const actions = [
  ["Add to list", "/saved/add", ""],
  ["Compare", "/compare", "plain"],
  ["Export", "/search/selected.csv", "plain"],
] as const;

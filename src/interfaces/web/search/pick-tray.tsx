/**
 * The tray shows the people who are selected, and what to do with them. Their logins are in the address, so the people stay
 * selected on other pages of results.
 */
import type { SignedInRequest } from "../page.ts";
import { comparedMax } from "./search-query.ts";

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

interface PickedPerson {
  readonly login: string;
  readonly name: string;
  /** Whether the person has a row with a box on this page. */
  readonly isHere: boolean;
}

/** Shows the people who are selected elsewhere, and buttons for all who are selected. */
export function PickTray({ picked }: { readonly picked: readonly PickedPerson[] }) {
  const buttons = [
    ["Add to list", "/saved/add"],
    ["Compare", "/compare"],
    ["Export", "/search/selected.csv"],
  ].map(([label, to], at) => (
    <button
      type="submit"
      form="search"
      formaction={to}
      class={["small-button", at > 0 ? "plain" : ""]}
    >
      {label}
    </button>
  ));
  return (
    <section class="tray" aria-label="Selected people" data-max={comparedMax}>
      <p role="status">{picked.length > 0 ? `${picked.length} selected` : "Selected people"}</p>
      <ul class="tray-people">
        {picked
          .filter(({ isHere }) => !isHere)
          .map(({ login, name }) => (
            <li data-login={login} data-name={name}>
              <label>
                <input type="checkbox" form="search" name="login" value={login} checked /> {name}
              </label>
            </li>
          ))}
      </ul>
      <div class="actions">{buttons}</div>
    </section>
  );
}

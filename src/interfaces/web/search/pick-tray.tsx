/**
 * The tray shows the people who are ticked for a comparison. Their logins are in the address, so the people stay ticked on other
 * pages of results.
 */
import type { SignedInRequest } from "../page.ts";
import { getPersonId } from "../saved/save-forms.tsx";
import { comparedMax } from "./search-query.ts";

interface PersonPickProperties {
  /** Id of the form that the box belongs to. */
  readonly form: string;
  readonly login: string;
  readonly name?: string | undefined;
  readonly isPicked?: boolean;
}

export function PersonPick({ form, login, name = login, isPicked }: PersonPickProperties) {
  return (
    <label class="person-pick">
      <input
        type="checkbox"
        form={form}
        name="login"
        value={login}
        checked={isPicked}
        data-pick={name}
      />{" "}
      <span>
        compare<span class="unseen"> {name}</span>
      </span>
    </label>
  );
}

/** Reads the names of the ticked people whom a page has already shown to this account. */
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
  /** Whether the person has a card with a box on this page. */
  readonly isHere: boolean;
}

interface PickTrayProperties {
  readonly form: string;
  readonly picked: readonly PickedPerson[];
}

/** Shows the ticked people and the button that compares them. Unticking a box removes the person from the comparison. */
export function PickTray({ form, picked }: PickTrayProperties) {
  return (
    <section class="tray" aria-label="To compare" data-tray={form} data-max={comparedMax}>
      <ul class="tray-people">
        {picked.map(({ login, name, isHere }) => (
          <li data-login={login} data-name={name}>
            {isHere ? (
              <a href={`#${encodeURIComponent(getPersonId(login))}`}>{name}</a>
            ) : (
              <label>
                <input type="checkbox" form={form} name="login" value={login} checked /> {name}
              </label>
            )}
          </li>
        ))}
      </ul>
      <p class="small muted tray-limit" role="status">
        {describeLimit(picked.length)}
      </p>
      <button type="submit" class="plain" form={form} formaction="/compare">
        Compare
      </button>
    </section>
  );
}

function describeLimit(people: number): string {
  if (people > comparedMax) {
    return `${people} are ticked, and four at most are compared: untick ${people - comparedMax}.`;
  }
  return people === 0 ? "Tick two to four people to compare them." : "Four at most.";
}

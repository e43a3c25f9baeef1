/**
 * The forms by which a page lets somebody keep what it shows: a person on a list, or a search. Any page may embed them; they
 * post to the pages of what is kept.
 */
import { savedLimits } from "../../../control/saved-records.ts";
import type { Children, Html } from "../look/jsx-runtime.ts";
import type { SignedInRequest } from "../page.ts";

/** "Add to list", for the page of one person. */
export async function renderAddToList(ask: SignedInRequest, login: string): Promise<Html> {
  const lists = await ask.modules.control.saved.lists(ask.visitor.account.id);
  return (
    <SaveForm ask={ask} act="add" label="Add to a list" submit="Add to the list">
      <input type="hidden" name="login" value={login} />
      <input type="hidden" name="shown" value={ask.markShown(login)} />
      <div class="field">
        <label for="add-list">List</label>
        <select id="add-list" name="list">
          {lists.map(({ id, name, people }) => (
            <option value={id}>
              {name} ({people})
            </option>
          ))}
          <option value="new" selected={lists.length === 0}>
            A new list
          </option>
        </select>
      </div>
      <div class="field">
        <label for="add-name">
          Name of a new list<span class="muted"> (optional)</span>
        </label>
        <input id="add-name" name="name" maxlength={savedLimits.nameLengthMax} autocomplete="off" />
      </div>
      <div class="field">
        <label for="add-note">
          Note<span class="muted"> (optional)</span>
        </label>
        <input id="add-note" name="note" maxlength={savedLimits.noteLengthMax} autocomplete="off" />
      </div>
    </SaveForm>
  );
}

/**
 * "Save this search", for the page of its results.
 *
 * @param query as the address of the search has it, without a question mark.
 * @param name what the search may be called.
 */
export function SaveSearch({
  ask,
  query,
  name,
}: {
  readonly ask: SignedInRequest;
  readonly query: string;
  readonly name: string;
}) {
  return (
    <SaveForm ask={ask} act="save-search" label="Save this search" submit="Save the search">
      <input type="hidden" name="query" value={query} />
      <div class="field">
        <label for="search-name">Name</label>
        <p class="hint" id="search-name-hint">
          Saving runs it once, for the first {savedLimits.foundMax} people, which counts as one
          call.
        </p>
        <input
          id="search-name"
          name="name"
          value={name.slice(0, savedLimits.nameLengthMax)}
          required
          maxlength={savedLimits.nameLengthMax}
          autocomplete="off"
          aria-describedby="search-name-hint"
        />
      </div>
    </SaveForm>
  );
}

interface SaveFormProperties {
  readonly ask: SignedInRequest;
  readonly act: "add" | "save-search";
  readonly label: string;
  readonly submit: string;
  readonly children: Children;
}

function SaveForm({ ask, act, label, submit, children }: SaveFormProperties) {
  return (
    <details class="guarded">
      <summary>{label}</summary>
      <div class="guarded-body">
        <form method="post" action="/saved" class="stack">
          <input type="hidden" name="token" value={ask.token} />
          <input type="hidden" name="act" value={act} />
          {children}
          <div class="actions">
            <button type="submit" class="plain">
              {submit}
            </button>
          </div>
        </form>
      </div>
    </details>
  );
}

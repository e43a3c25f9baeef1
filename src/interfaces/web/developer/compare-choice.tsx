import { List, Panel } from "../look/parts.tsx";
import type { SignedInRequest, View } from "../page.ts";
import { readNames } from "../search/pick-tray.tsx";
import { comparedMax } from "./compared.ts";

/** Asks whom to leave out, which is no call: none of them is dropped unasked. */
export async function showCompareChoice(
  ask: SignedInRequest,
  logins: readonly string[],
): Promise<View> {
  const nameOf = await readNames(ask, logins);
  const more = logins.length - comparedMax;
  const body = (
    <Panel title={`${logins.length} people are ticked`}>
      <p>
        Four at most stand side by side. Untick {more === 1 ? "one" : more}, and compare the others.
      </p>
      <form method="get" action="/compare" class="stack">
        <List
          class="pick-list"
          items={logins.map((login) => (
            <label>
              <input type="checkbox" name="login" value={login} checked /> {nameOf(login)}
            </label>
          ))}
        />
        <div class="actions">
          <button type="submit">Compare</button>
        </div>
      </form>
    </Panel>
  );
  return { title: "Compare", body };
}

import { Panel } from "../look/parts.tsx";
import { defineAdministratorPage } from "../page.ts";

/** Every setting in force: its value, where it came from, and how to change it. */
export const settingsPage = defineAdministratorPage({
  path: "/admin/settings",
  show: ({ modules: { administration } }) => {
    const body = (
      <>
        <h1>Settings</h1>
        <p>
          As the server was started. A flag wins over a variable, a variable over{" "}
          <code>roster.toml</code> in the data folder, and that over the default; a change holds
          from the next start on. Secrets are masked.
        </p>
        <Panel title="In force">
          <table class="settings">
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">Value</th>
                <th scope="col" class="wide">
                  How to change it
                </th>
              </tr>
            </thead>
            <tbody>
              {administration.settings().map(({ name, value, from, flag, environment, help }) => (
                <tr>
                  <th scope="row">
                    <code>{name}</code>
                    <p class="muted small">{help}</p>
                    <p class="small narrow-only">
                      {flag && <code>{flag}</code>} {environment && <code>{environment}</code>}
                    </p>
                  </th>
                  <td class="free">
                    {value === undefined ? <span class="muted">none</span> : <code>{value}</code>}
                    <p class="muted small">{from}</p>
                  </td>
                  <td class="wide small">
                    {flag && <code>{flag}</code>} {environment && <code>{environment}</code>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      </>
    );
    return { title: "Settings", body };
  },
});

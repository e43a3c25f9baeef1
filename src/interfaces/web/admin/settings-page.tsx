import { DataTable } from "../look/data-table.tsx";
import { Panel } from "../look/parts.tsx";
import { defineAdministratorPage } from "../page.ts";
import type { SettingLine } from "./administration.ts";

/** Every setting: its current value, where the value came from, and how to change it. */
export const settingsPage = defineAdministratorPage({
  path: "/admin/settings",
  show: ({ modules: { administration } }) => {
    const body = (
      <>
        <p>
          These are the settings with which the server was started. A flag overrides an environment
          variable, a variable overrides <code>roster.toml</code> in the data folder, and that
          overrides the default. A change takes effect at the next start. Secrets are masked.
        </p>
        <Panel title="In force">
          <DataTable
            class="settings"
            columns={[
              [
                "Setting",
                (setting) => (
                  <>
                    <code>{setting.name}</code>
                    <p class="muted small">{setting.help}</p>
                    <p class="small narrow-only">
                      <WaysToChange setting={setting} />
                    </p>
                  </>
                ),
              ],
              [
                "Value",
                ({ value, from }) => (
                  <>
                    {value === undefined ? <span class="muted">none</span> : <code>{value}</code>}
                    <p class="muted small">{from}</p>
                  </>
                ),
                "free",
              ],
              ["How to change it", (setting) => <WaysToChange setting={setting} />, "wide small"],
            ]}
            rows={administration.settings()}
          />
        </Panel>
      </>
    );
    return { title: "Settings", body };
  },
});

function WaysToChange({ setting: { flag, environment } }: { readonly setting: SettingLine }) {
  return (
    <>
      {flag && <code>{flag}</code>} {environment && <code>{environment}</code>}
    </>
  );
}

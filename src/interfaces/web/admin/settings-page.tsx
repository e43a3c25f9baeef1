import type { SettingDescription } from "../../../config/config.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { ListSearch, readSearched } from "../look/lists.tsx";
import { Copyable, EmptyState, FilePath, List, Message, Panel } from "../look/parts.tsx";
import { defineAdministratorPage } from "../page.ts";

const path = "/admin/settings";

export const settingsPage = defineAdministratorPage({
  path,
  show: ({ url, modules: { administration } }) => {
    const all = administration.settings;
    const searched = readSearched(url);
    const isChangedOnly = url.searchParams.has("changed");
    const changed = all.filter(isChanged);
    const found = (isChangedOnly ? changed : all).filter((setting) => matches(setting, searched));
    const groups = [...Map.groupBy(found, ({ group }) => group)];
    const body = (
      <>
        <p>
          These are the settings with which the server was started. The command line overrides an
          environment variable, a variable overrides the settings file, and that overrides the
          default, which a value without a mark is. A change takes effect at the next start.
        </p>
        <p>
          Settings file:{" "}
          <code class="free">
            <FilePath path={administration.settingsFile} />
          </code>
        </p>
        <ListSearch path={path} label="Search the settings" value={searched}>
          {isChangedOnly && <input type="hidden" name="changed" value="" />}
        </ListSearch>
        <p class="muted" role="status">
          {formatCount(found.length)} of {formatCounted(all.length, "setting")}
          {isChangedOnly && ", only those that differ from the default"}
          {(searched !== "" || isChangedOnly) && [" · ", <a href={path}>all</a>]}
          {!isChangedOnly &&
            changed.length > 0 && [
              " · ",
              <a href={`${path}?changed`}>
                {formatCount(changed.length)} changed from the default
              </a>,
            ]}
        </p>
        <div class={["stack-wide", groups.length > 1 && "beside-contents"]}>
          {groups.length > 1 && (
            <nav class="contents" aria-label="Groups of settings">
              <List
                items={groups.map(([group, settings]) => [
                  <a href={`#${toId(group)}`}>{group}</a>,
                  " ",
                  <span class="muted small">{formatCount(settings.length)}</span>,
                ])}
              />
            </nav>
          )}
          <div class="stack-wide">
            {groups.map(([group, settings]) => (
              <Panel title={group} id={toId(group)}>
                <ul class="rows settings">
                  {settings.map((setting) => (
                    <SettingRow
                      setting={setting}
                      file={administration.settingsFile}
                      isOpen={found.length === 1}
                    />
                  ))}
                </ul>
              </Panel>
            ))}
          </div>
        </div>
        {groups.length === 0 && <EmptyState>No setting has "{searched}" in it.</EmptyState>}
      </>
    );
    return { title: "Settings", body };
  },
});

const isChanged = ({ from }: SettingDescription) => from !== "default";

/** Whether a setting matches a search. Every word must occur in its name, help, value, environment variable, flag or group. */
function matches(
  { name, help, value, environment, flag, group }: SettingDescription,
  searched: string,
) {
  const text = [name, help, value, environment, flag, group].join(" ").toLowerCase();
  return searched
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const toId = (group: string) => group.toLowerCase().replaceAll(" ", "-");

interface SettingRowProperties {
  readonly setting: SettingDescription;
  readonly file: string;
  readonly isOpen: boolean;
}

function SettingRow({ setting, file, isOpen }: SettingRowProperties) {
  const { name, from, rule, line, environment, flag } = setting;
  const summary = <SettingSummary setting={setting} />;
  if (line === undefined) return <li class="setting-line">{summary}</li>;
  return (
    <li>
      <details class="setting" open={isOpen}>
        <summary class="setting-line">{summary}</summary>
        <div class="guarded-body">
          {rule && (
            <p class="small">
              It takes <Message text={rule} />.
            </p>
          )}
          {/^(flag|environment) /.test(from) && (
            <p class="small">It is set by the {describeOrigin(from)}, which overrides the file.</p>
          )}
          <Copyable id={`file-${name}`} label={`In ${file}`} text={line} />
          {environment && (
            <Copyable
              id={`variable-${name}`}
              label="As an environment variable"
              text={environment}
            />
          )}
          {flag && <Copyable id={`flag-${name}`} label="On the command line" text={flag} />}
        </div>
      </details>
    </li>
  );
}

function SettingSummary({ setting }: { readonly setting: SettingDescription }) {
  const { name, value, from } = setting;
  const help = describeHelp(setting);
  const [whole, fallback = "none"] = value === undefined ? (defaultForm.exec(help) ?? []) : [];
  return (
    <>
      <span class="setting-what">
        <code class="free">{name}</code>
        <span class="muted small">
          <Message text={help.slice(0, help.length - (whole?.length ?? 0))} />
        </span>
      </span>
      <span class="setting-value">
        {value === undefined ? (
          <span class="muted small">{fallback}</span>
        ) : (
          <code class="free">{value}</code>
        )}
        {isChanged(setting) && <span class="badge warn">{describeOrigin(from)}</span>}
      </span>
    </>
  );
}

/** Finds the default in a help text such as `port (default: 7171)`. */
const defaultForm = / \(default: ([^(]+)\)$/;

/** Formats a help text. For a setting that is true or false, the text says what its flag does. */
function describeHelp({ help, rule, flag }: SettingDescription): string {
  if (rule === "true or false") return `If ${!flag?.startsWith("--no-")}: ${help}`;
  return `${help.charAt(0).toUpperCase()}${help.slice(1)}`;
}

const describeOrigin = (from: string) =>
  from.replace(/^flag /, "command line, ").replace(/^environment /, "variable ");

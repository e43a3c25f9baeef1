import type { SettingDescription } from "../../../config/config.ts";
import { formatCount } from "../look/format.ts";
import { ListSearch, readSearched } from "../look/lists.tsx";
import {
  Badge,
  ButtonLink,
  Copyable,
  EmptyState,
  FilePath,
  List,
  Message,
} from "../look/parts.tsx";
import { defineAdministratorPage } from "../page.ts";

const path = "/admin/settings";

export const settingsPage = defineAdministratorPage({
  path,
  show: ({ url, modules: { administration } }) => {
    const { settings, settingsFile } = administration;
    const all = settings();
    const searched = readSearched(url);
    const isChangedOnly = url.searchParams.has("changed");
    const found = all.filter(
      (setting) => (!isChangedOnly || isChanged(setting)) && matches(setting, searched),
    );
    const groups = [...Map.groupBy(found, ({ group }) => group)];
    const kinds = [
      [path, "All", all.length, !isChangedOnly],
      [`${path}?changed`, "Changed", all.filter(isChanged).length, isChangedOnly],
    ] as const;
    const body = (
      <>
        <p class="muted">
          Unmarked values are defaults. The command line overrides variables, and variables override
          the file{" "}
          <code class="free">
            <FilePath path={settingsFile} />
          </code>
          . After a change, run <code>roster reload</code>. It names what needs a restart.
        </p>
        <div class="row-head">
          <ListSearch path={path} label="Search settings" value={searched}>
            {isChangedOnly && <input type="hidden" name="changed" value="" />}
          </ListSearch>
          <div class="actions">
            {kinds.map(([to, label, count, isShown]) => (
              <ButtonLink
                {...{ to, label: `${label} (${formatCount(count)})` }}
                aria-current={isShown && "page"}
              />
            ))}
          </div>
        </div>
        <div class={["stack-wide", groups.length > 1 && "beside-contents"]}>
          {groups.length > 1 && (
            <nav class="contents wide" aria-label="Groups of settings">
              <List items={groups.map(([group]) => <a href={`#${toId(group)}`}>{group}</a>)} />
            </nav>
          )}
          <div class="stack-wide">
            {groups.map(([group, settings]) => (
              <section class="card" id={toId(group)} aria-label={group}>
                <h2 class="wide">{group}</h2>
                <details class="folded phone-fold" open={found.length < all.length}>
                  <summary>
                    <h2>{group}</h2> <span class="small muted">{settings.length}</span>
                  </summary>
                  <ul class="rows settings">
                    {settings.map((one) => renderSetting(one, settingsFile, found.length === 1))}
                  </ul>
                </details>
              </section>
            ))}
          </div>
        </div>
        {groups.length === 0 && <EmptyState>No setting contains "{searched}".</EmptyState>}
      </>
    );
    return { title: "Settings", body };
  },
});

const isChanged = ({ from }: SettingDescription) => from !== "default";

/** Whether a setting matches a search. Every word must occur in its name, help, value, environment variable, flag or group. */
function matches(setting: SettingDescription, searched: string) {
  const { name, help, value, environment, flag, group } = setting;
  const text = [name, help, value, environment, flag, group].join(" ").toLowerCase();
  const words = searched.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

const toId = (group: string) => group.toLowerCase().replaceAll(" ", "-");

function renderSetting(setting: SettingDescription, file: string, isOpen: boolean) {
  const { name, from, rule, line, environment, flag } = setting;
  const summary = renderSummary(setting);
  if (line === undefined) return <li class="setting-line">{summary}</li>;
  const ways = [
    [`file-${name}`, `In ${file}`, line],
    [`variable-${name}`, "As an environment variable", environment],
    [`flag-${name}`, "On the command line", flag],
  ] as const;
  return (
    <li>
      <details class="setting" open={isOpen}>
        <summary class="setting-line">{summary}</summary>
        <div class="guarded-body">
          {rule && (
            <p class="small">
              Accepts <Message text={rule} />.
            </p>
          )}
          {/^(flag|environment) /.test(from) && (
            <p class="small">The {describeOrigin(from)} sets it and overrides the file.</p>
          )}
          {ways.map(([id, label, text]) => text && <Copyable id={id} label={label} text={text} />)}
        </div>
      </details>
    </li>
  );
}

function renderSummary(setting: SettingDescription) {
  const { name, value, from } = setting;
  const help = describeHelp(setting);
  const [whole, fallback = "none"] = value === undefined ? (defaultForm.exec(help) ?? []) : [];
  return (
    <>
      <code class="free">{name}</code>
      <span class="muted small">
        <Message text={help.slice(0, help.length - (whole?.length ?? 0))} />
      </span>
      <span class="setting-value">
        {value === undefined ? (
          <span class="muted small">{fallback}</span>
        ) : (
          <code class="free">{value}</code>
        )}
        {isChanged(setting) && <Badge tone="warn">{describeOrigin(from)}</Badge>}
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

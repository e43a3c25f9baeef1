import type { IdentityProvider } from "../contract/identity-provider.ts";
import type { Setting } from "./setting-table.ts";
import { settingGroups } from "./settings.ts";

/** A setting as people see it. Secrets are masked. */
export interface SettingDescription {
  readonly name: string;
  /** The value as a text. Undefined means that the setting has no value. */
  readonly value: string | undefined;
  /** The origin of the value: a flag, a variable, a file, or the default. */
  readonly from: string;
  readonly environment?: string;
  readonly flag?: string | undefined;
  readonly help: string;
  /** The heading under which the setting is shown. */
  readonly group: string;
  /** The accepted values, in words. */
  readonly rule?: string;
  /** An example line for the settings file. A switch has the opposite of its current value. */
  readonly line?: string;
}

/** @package */
export function describeSettings(
  origins: readonly {
    readonly setting: Setting;
    readonly text: string | undefined;
    readonly from: string;
  }[],
  providers: readonly IdentityProvider[],
): readonly SettingDescription[] {
  return [
    ...origins.map(({ setting, text, from }) => {
      const { key, env, flag, help, secret, form } = setting;
      return {
        ...{ name: key, value: secret && text !== undefined ? "****" : text },
        ...{ from, environment: env, flag, help, rule: form.rule },
        ...{ group: findGroup(key), line: formatLine(setting, text) },
      };
    }),
    ...providers.map(({ id, name, protocol, domains }) => ({
      name: `signIn.providers.${id}`,
      value: `${name} (${protocol.kind}) for ${domains.join(", ")}`,
      ...{ from: "file", help: "single sign-on", group: findGroup("signIn") },
    })),
  ];
}

function findGroup(key: string): string {
  const [first = ""] = key.split(".");
  return (settingGroups as Readonly<Record<string, string>>)[first] ?? "";
}

/** Formats a setting as lines of the settings file: `port = 8080`, perhaps after the header of a TOML table. */
function formatLine({ key, secret, example, form, takes }: Setting, text: string | undefined) {
  const value = (secret ? undefined : text) ?? example ?? "";
  const isSwitch = takes === undefined && typeof form.parse(value) === "boolean";
  const other = isSwitch ? String(!form.parse(value)) : value;
  const dot = key.lastIndexOf(".");
  const line = `${key.slice(dot + 1)} = ${formatTomlValue(other)}`;
  return dot < 0 ? line : `[${key.slice(0, dot)}]\n${line}`;
}

/** @package @returns the names of the settings that differ. Changed secrets of the table are not found, because they are masked. */
export function listChanges(before: ChangingParts, after: ChangingParts): readonly string[] {
  const [known, now] = [listValues(before), listValues(after)];
  const names = new Set([...known.keys(), ...now.keys()]);
  return [...names].filter((name) => known.get(name) !== now.get(name));
}

interface ChangingParts {
  readonly described: readonly SettingDescription[];
  readonly signIn: { readonly providers: readonly IdentityProvider[] };
  readonly sources: readonly { readonly id: string }[];
  readonly backup: { readonly copies: readonly { readonly id: string }[] };
  readonly notify: readonly { readonly id: string }[];
}

const listValues = ({ described, signIn, sources, backup, notify }: ChangingParts) =>
  new Map([
    ...described.map(({ name, value }) => [name, value] as const),
    ...signIn.providers.map((one) => [`signIn.providers.${one.id}`, JSON.stringify(one)] as const),
    ...sources.map((one) => [`sources.${one.id}`, JSON.stringify(one)] as const),
    ...backup.copies.map((one) => [`backup.copies.${one.id}`, JSON.stringify(one)] as const),
    ...notify.map((one) => [`notify.${one.id}`, JSON.stringify(one)] as const),
  ]);

/** Formats a text for a settings file. Numbers and booleans stay without quotes. */
function formatTomlValue(text: string): string {
  if (/^(true|false|0|[1-9]\d{0,14})$/.test(text)) return text;
  // JSON quotes texts as TOML does, except for one control character.
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

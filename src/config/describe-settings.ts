import type { IdentityProvider } from "../contract/identity-provider.ts";
import type { Setting } from "./setting-table.ts";

/** A setting as people are shown it; secrets are masked. */
export interface SettingDescription {
  readonly name: string;
  /** `undefined` when it has none. */
  readonly value: string | undefined;
  /** A flag, a variable, a file, or the default. */
  readonly from: string;
  readonly environment?: string;
  readonly flag?: string | undefined;
  readonly help: string;
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
    ...origins.map(({ setting: { key, env, flag, help, secret }, text, from }) => ({
      ...{ name: key, value: secret && text !== undefined ? "****" : text },
      ...{ from, environment: env, flag, help },
    })),
    ...providers.map(({ id, name, protocol, domains }) => ({
      name: `signIn.providers.${id}`,
      value: `${name} (${protocol.kind}) for ${domains.join(", ")}`,
      ...{ from: "file", help: "single sign-on" },
    })),
  ];
}

/** @returns the names of those that differ; secrets, which are masked, never do. */
export function listChanges(
  { described: before, sources }: ChangingParts,
  after: ChangingParts,
): readonly string[] {
  const known = new Map(before.map(({ name, value }) => [name, value]));
  const now = new Map(after.described.map(({ name, value }) => [name, value]));
  const names = new Set([...known.keys(), ...now.keys()]);
  const changed = [...names].filter((name) => known.get(name) !== now.get(name));
  const isOther = JSON.stringify(sources) !== JSON.stringify(after.sources);
  return isOther ? [...changed, "sources"] : changed;
}

interface ChangingParts {
  readonly described: readonly SettingDescription[];
  readonly sources: readonly object[];
}

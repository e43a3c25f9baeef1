/** Decides which settings a running server takes over when it reads them again. All others need a restart. */
import type { IdentityProvider } from "../contract/identity-provider.ts";
import type { CopySettings } from "./copies.ts";
import { listChanges, type SettingDescription } from "./describe-settings.ts";
import type { Receiver } from "./notify.ts";
import type { ValuesOf } from "./setting-table.ts";
import type { serverTable } from "./settings.ts";
import type { SourceSettings } from "./sources.ts";

const liveParts = [
  ...(["logLevel", "securityContact", "backup", "s3"] as const),
  ...(["quota", "webhooks", "mail", "changes", "keep"] as const),
];
/** With those below them, such as `backup.every`. */
const liveNames = [...liveParts, "sources", "notify", "signIn.providers"];

/** The settings that a server must read at each use, because they may be read again. */
export type LiveSettings = Pick<ValuesOf<typeof serverTable>, (typeof liveParts)[number]> & {
  readonly backup: { readonly copies: readonly CopySettings[] };
  readonly sources: readonly SourceSettings[];
  readonly notify: readonly Receiver[];
  readonly signIn: { readonly providers: readonly IdentityProvider[] };
  readonly described: readonly SettingDescription[];
};

const isLive = (name: string) => liveNames.some((live) => `${name}.`.startsWith(`${live}.`));

/** @returns the settings to use from now on, the names of those that changed, and the names of those that need a restart. */
export function mergeSettings<All extends LiveSettings>(before: All, next: All) {
  const changes = listChanges(before, next);
  const [changed, restart] = [changes.filter(isLive), changes.filter((name) => !isLive(name))];
  if (changed.length === 0) return { settings: before, changed, restart };
  const kept = new Map(before.described.map((one) => [one.name, one]));
  const settings: All = {
    ...before,
    ...Object.fromEntries(liveParts.map((part) => [part, next[part]])),
    ...{ sources: next.sources, notify: next.notify },
    signIn: { ...before.signIn, providers: next.signIn.providers },
    described: next.described.map((one) => (isLive(one.name) ? one : (kept.get(one.name) ?? one))),
  };
  return { settings, changed, restart };
}

/** Reads the configuration. A flag overrides an environment variable, which overrides the settings file. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { describeMismatch, describeUnknown, findNearest } from "../contract/complaint.ts";
import { Fault } from "../contract/fault.ts";
import type { IdentityProvider } from "../contract/identity-provider.ts";
import { readTextFile } from "../contract/text-file.ts";
import { isLoopback } from "../network/ip-address.ts";
import type { CopySettings } from "./copies.ts";
import { describeSettings, type SettingDescription } from "./describe-settings.ts";
import type { Receiver } from "./notify.ts";
import { buildValues, type Setting, type ValuesOf } from "./setting-table.ts";
import { serverTable, serviceSettings, serviceTable, settings } from "./settings.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import { readTokenFile, type SourceSettings, sourceVariable } from "./sources.ts";

export type { CopySettings } from "./copies.ts";
export type { SettingDescription } from "./describe-settings.ts";
export { type LiveSettings, mergeSettings } from "./live-settings.ts";
export type { Receiver } from "./notify.ts";
export { databaseAddress } from "./parse-setting.ts";
export type { Setting } from "./setting-table.ts";
export { serviceSettings, settings } from "./settings.ts";
export {
  type ForgeSettings,
  type RepositorySettings,
  readSource,
  readTokenFile,
  type SourceSettings,
} from "./sources.ts";

type Settings = ValuesOf<typeof serverTable>;

/** The texts of flags by setting key, or the texts of environment variables by name. */
type Texts = Readonly<Record<string, string | undefined>>;

export interface Config extends Settings {
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly signIn: Settings["signIn"] & {
    /** The providers of single sign-on. Only the settings file can set them. */
    readonly providers: readonly IdentityProvider[];
  };
  readonly backup: Settings["backup"] & {
    /** The copies of backups elsewhere. Only the settings file can set them. */
    readonly copies: readonly CopySettings[];
  };
  /** Path of the settings file. Undefined means that there is no settings file. */
  readonly settingsFile: string | undefined;
  /** The forges from which Roster reads people. Only the settings file can set them. */
  readonly sources: readonly SourceSettings[];
  /** Whom Roster tells what needs an operator. Only the settings file can set them. */
  readonly notify: readonly Receiver[];
  /** The environment variables for proxies and certificate authorities. Child programs get these variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a server started this command. The server then adds the run to the list of runs. */
  readonly isStartedByServer: boolean;
  /** The environment variables by which ssh and git's credential helpers find what belongs to the user. */
  readonly userEnvironment: Readonly<Record<string, string>>;
  /** Paths of the files from which secrets were read, by setting key. */
  readonly secretFiles: Readonly<Record<string, string>>;
  /** All settings, as people see them. */
  readonly described: readonly SettingDescription[];
}

/** The environment variable by which a server marks the commands that it starts. */
const startedByVariable = "ROSTER_STARTED_BY";

export const createChildEnvironment = (env: Texts = process.env): Texts => ({
  ...env,
  [startedByVariable]: "server",
});

/** A setting, its text, and the place that set it. */
interface SettingOrigin {
  readonly setting: Setting;
  readonly text: string | undefined;
  readonly from: string;
  /** Path of the file with the text. Only a variable such as `ROSTER_API_KEY_FILE` names such a file. */
  readonly path?: string;
}

/**
 * @param flags texts of the given flags, by setting key. `config` is the path of the settings file.
 * @throws Fault if a flag, variable or setting is wrong. The message names it.
 */
export function readConfig(flags: Texts, env: Texts = process.env): { readonly config: Config } {
  refuseUnknownVariables(env);
  const dataSetting = settings[0] as Setting;
  const data = flags[dataSetting.key] ?? env[dataSetting.env];
  const file = readSettingsFile(
    flags["config"] ?? env["ROSTER_CONFIG"],
    data ?? (dataSetting.default as string),
    env,
  );
  const { values, origins } = readSettings(settings, flags, env, file);

  const read = buildValues(serverTable, values);
  refuseHalfPair(values);
  refuseEngineWithoutDatabase(read);
  const config = Object.freeze({
    ...read,
    publicUrl: read.publicUrl ?? getServiceUrl(read),
    trustedProxies: read.trustedProxies ?? [],
    signIn: Object.freeze({ ...read.signIn, providers: file?.providers ?? [] }),
    backup: Object.freeze({ ...read.backup, copies: file?.copies ?? [] }),
    settingsFile: file?.path,
    ...{ sources: file?.sources ?? [], notify: file?.notify ?? [] },
    isStartedByServer: env[startedByVariable] === "server",
    environment: pickVariables(env, networkVariable),
    userEnvironment: pickVariables(env, userVariable),
    secretFiles: Object.fromEntries(
      origins.flatMap(({ setting: { key }, path }) => (path ? [[key, path]] : [])),
    ),
    described: describeSettings(origins, file?.providers ?? []),
  });
  return { config };
}

const networkVariable =
  /^(https?_proxy|all_proxy|no_proxy|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|GIT_SSL_CA(INFO|PATH))$/i;

const userVariable =
  /^(HOME|PATH|USER|LOGNAME|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|XDG_(CONFIG_HOME|CACHE_HOME|RUNTIME_DIR))$/;

function pickVariables(env: Texts, variable: RegExp): Readonly<Record<string, string>> {
  const given = Object.entries(env).filter(([name]) => variable.test(name));
  return Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The settings by which `roster mcp` reaches another Roster. */
export type ServiceAccess = ValuesOf<typeof serviceTable>;

/** Whether the environment names a Roster to call, and no data folder. */
export function isServiceNamed(env: Texts = process.env): boolean {
  return Boolean(env["ROSTER_URL"]) && !env["ROSTER_DATA"] && !env["ROSTER_CONFIG"];
}

/** Whether the environment names a data folder, a settings file, or a database that nodes share. */
export function isFolderNamed(env: Texts = process.env): boolean {
  return Boolean(env["ROSTER_DATA"] || env["ROSTER_CONFIG"] || env["ROSTER_DATABASE_URL"]);
}

export function isKeyGiven(env: Texts = process.env): boolean {
  return Boolean(env["ROSTER_API_KEY"] || env["ROSTER_API_KEY_FILE"]);
}

/** Returns the folder for indexes of local clones. It is in the user's cache folder (XDG Base Directory Specification 0.8). */
export function findCacheFolder(env: Texts = process.env): string {
  const given = env["XDG_CACHE_HOME"];
  const cache = given && isAbsolute(given) ? given : join(env["HOME"] || homedir(), ".cache");
  return join(cache, "roster", "clones");
}

/** @throws Fault if a flag or variable is wrong. The message names it. */
export function readServiceAccess(flags: Texts, env: Texts = process.env): ServiceAccess {
  refuseUnknownVariables(env);
  const { values } = readSettings(serviceSettings, flags, env);
  return buildValues(serviceTable, values);
}

/** @returns the values by key, and the origin of each setting. Settings without a value are left out of the values. */
function readSettings(list: readonly Setting[], flags: Texts, env: Texts, file?: SettingsFile) {
  const values = new Map<string, unknown>();
  const origins = list.map((setting) => findOrigin(setting, flags, env, file));
  for (const origin of origins) {
    if (origin.text !== undefined) values.set(origin.setting.key, parse(origin, origin.text));
  }
  return { values, origins };
}

/** @returns the URL of a listener. For a socket or a wildcard such as `0.0.0.0`, the host is localhost. */
export function getServiceUrl({ host, port, tls }: Pick<Config, "host" | "port" | "tls">): string {
  if (host.startsWith("unix:")) return "http://localhost";
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const scheme = tls.certFile === undefined ? "http" : "https";
  return `${scheme}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Settings that are of no use without another one. */
const companions = [
  ["tls.certFile", "tls.keyFile"],
  ["tls.keyFile", "tls.certFile"],
  ["mail.server", "mail.from"],
] as const;

function refuseHalfPair(values: ReadonlyMap<string, unknown>): void {
  const half = companions.find(([one, other]) => values.has(one) && !values.has(other));
  if (half) throw new Fault("configuration", `${half[0]} is set: set ${half[1]} too.`);
}

/** @returns how mail is sent. Undefined means that the operator set up no mail. @throws Fault for an unusable password file. */
export function readMailAccess({ mail }: Pick<Settings, "mail">) {
  const { server: url, from, user, passwordFile, password = "" } = mail;
  const read = () => (passwordFile ? readTokenFile(passwordFile, "password") : password);
  return url && from ? { url, from, ...(user && { auth: { user, pass: read() } }) } : undefined;
}

/** @returns how `s3://` addresses are reached. @throws Fault for a missing setting, or an unusable file with the secret. */
export function readS3Access({ s3 }: Pick<Settings, "s3">) {
  const { region, keyId, secretFile, allowHttp } = s3;
  const endpoint = s3.endpoint ?? `https://s3.${region}.amazonaws.com`;
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === "http:" && !allowHttp && !isLoopback(hostname))
    throw new Fault("configuration", "s3.endpoint must begin with https, or set s3.allowHttp.");
  const secret = secretFile ? readTokenFile(secretFile, "secret") : s3.secret;
  if (!keyId || !secret)
    throw new Fault("configuration", "An s3:// address needs s3.keyId and s3.secretFile.");
  return { endpoint, region, keyId, secret };
}

function refuseEngineWithoutDatabase({
  search,
  database,
}: Pick<Config, "search" | "database">): void {
  if (search.engine === "memory" || database.url !== undefined) return;
  throw new Fault(
    "configuration",
    "search.engine is database: set database.url too, because the index is in that database.",
  );
}

/** Refuses unknown variables, because a misspelled variable would otherwise be ignored. */
function refuseUnknownVariables(env: Texts): void {
  const known = new Set(["ROSTER_CONFIG", startedByVariable]);
  for (const setting of [...settings, ...serviceSettings]) {
    known.add(setting.env);
    if (setting.secret) known.add(`${setting.env}_FILE`);
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith("ROSTER_") || known.has(name) || sourceVariable.test(name)) continue;
    const meant = findNearest(name, known);
    const complaint = describeUnknown("variable", name, meant).replaceAll('"', "");
    throw new Fault(meant ? "configuration" : "unknown_variable", complaint);
  }
}

function findOrigin(
  setting: Setting,
  flags: Texts,
  env: Texts,
  file: SettingsFile | undefined,
): SettingOrigin {
  const flag = flags[setting.key];
  if (flag !== undefined) return { setting, text: flag, from: `flag ${setting.flag}` };
  const variable = env[setting.env];
  if (variable) return { setting, text: variable, from: `environment ${setting.env}` };
  const secretPath = setting.secret ? env[`${setting.env}_FILE`] : undefined;
  if (secretPath) {
    const from = `environment ${setting.env}_FILE`;
    return { setting, text: readSecret(secretPath, from), from, path: secretPath };
  }
  const inFile = file?.values.get(setting.key);
  if (file && inFile !== undefined) return { setting, text: inFile, from: `file ${file.path}` };
  return { setting, text: setting.default, from: "default" };
}

function readSecret(path: string, from: string): string {
  if (!existsSync(path))
    throw new Fault("configuration", `${from} names ${path}, which does not exist`);
  return readTextFile(path, `${from} names ${path}, which cannot be read`).trim();
}

function parse({ setting, from }: SettingOrigin, text: string): unknown {
  const { key, form, secret } = setting;
  const value = form.parse(text);
  if (value !== undefined) return value;
  // A private key may be given by mistake where a public one belongs.
  const isSecret = secret || text.includes("AGE-SECRET-KEY-");
  const reason = isSecret ? `must be ${form.rule}` : describeMismatch(form.rule, text);
  throw new Fault("configuration", `${key} (${from}) ${reason}`);
}

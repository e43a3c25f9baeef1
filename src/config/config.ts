/**
 * What Roster runs with. Precedence: flag, environment, file, default. Nobody else reads the environment.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Detail } from "../contract/detail.ts";
import type { IdentityProvider } from "../contract/identity-provider.ts";
import { findNearest } from "../contract/nearest.ts";
import { ConfigFault } from "./config-fault.ts";
import {
  type LogLevel,
  type Setting,
  type SignUpSetting,
  serviceSettings,
  settings,
} from "./settings.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";

export { ConfigFault } from "./config-fault.ts";

export interface Config {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Whether a first start on an empty pool loads the demo people. */
  readonly demo: boolean;
  /** Unset: no file is written. */
  readonly adminKeyFile: string | undefined;
  /** Unset: a random key is made on the first start. */
  readonly adminKey: string | undefined;
  readonly logLevel: LogLevel;
  readonly signIn: {
    readonly signUp: SignUpSetting;
    /** Whether assistants may register by themselves. */
    readonly assistantsRegister: boolean;
    /** Single sign-on; from the settings file only. */
    readonly providers: readonly IdentityProvider[];
  };
  readonly assistants: {
    /** Where answers to them may go beside https and this machine. */
    readonly privateRedirects: readonly string[];
    /** Of one network; those that are known do not count. */
    readonly registrationsPerHour: number;
  };
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly quota: {
    readonly countInvalid: boolean;
    /** Unset: the trial does not end. */
    readonly trialDays: number | undefined;
    readonly lookupsPerMinute: number;
  };
  readonly mcp: {
    /** Whether an API key opens the hosted MCP endpoint, beside browser sign-in. */
    readonly apiKeys: boolean;
    /** How much its tools tell, unless the address says otherwise. */
    readonly detail: Detail;
  };
  readonly ingest: {
    /** What reading one repository may take. */
    readonly timeoutMs: number;
    /** What each git process may take. */
    readonly gitMemoryMiB: number;
  };
  readonly analysis: {
    /** Unset: the built-in model judges. */
    readonly modelFile: string | undefined;
  };
  readonly identity: {
    /** Unset: only histories and decisions say who is whom. */
    readonly aliasFile: string | undefined;
    /** Unset: the built-in list says who is no human. */
    readonly classFile: string | undefined;
  };
}

export { type LogLevel, type Setting, type SignUpSetting, settings } from "./settings.ts";

/** A setting's value and where it came from, for `config show`. */
export interface SettingOrigin {
  readonly setting: Setting;
  readonly text: string | undefined;
  readonly from: string;
}

export interface ReadConfig {
  readonly config: Config;
  readonly origins: readonly SettingOrigin[];
}

/**
 * @param flags texts of the flags given, by setting key; `config` names the file (default: roster.toml in the data folder).
 * @throws ConfigFault naming the flag, variable or file entry at fault.
 */
export function readConfig(
  flags: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReadConfig {
  refuseUnknownVariables(env);
  const early = settings[0] as Setting;
  const data = flags[early.key] ?? env[early.env];
  const file = readSettingsFile(
    flags["config"] ?? env["ROSTER_CONFIG"],
    data ?? (early.default as string),
  );
  const values = new Map<string, unknown>();
  const origins = settings.map((setting) => {
    const origin = originOf(setting, flags, env, file);
    if (origin.text !== undefined) values.set(setting.key, parsed(origin));
    return origin;
  });
  const host = String(values.get("host"));
  const port = Number(values.get("port"));
  const config = Object.freeze({
    data: String(values.get("data")),
    host,
    port,
    publicUrl: String(values.get("publicUrl") ?? getServiceUrl(host, port)),
    demo: values.get("demo") === true,
    adminKeyFile: values.get("adminKeyFile") as string | undefined,
    adminKey: values.get("adminKey") as string | undefined,
    logLevel: values.get("logLevel") as LogLevel,
    signIn: Object.freeze({
      signUp: values.get("signIn.signUp") as SignUpSetting,
      assistantsRegister: values.get("signIn.assistantsRegister") === true,
      providers: file?.providers ?? [],
    }),
    assistants: Object.freeze({
      privateRedirects: values.get("assistants.privateRedirects") as readonly string[],
      registrationsPerHour: Number(values.get("assistants.registrationsPerHour")),
    }),
    trustedProxies: (values.get("trustedProxies") ?? []) as readonly string[],
    quota: Object.freeze({
      countInvalid: values.get("quota.countInvalid") === true,
      trialDays: values.get("quota.trialDays") as number | undefined,
      lookupsPerMinute: Number(values.get("quota.lookupsPerMinute")),
    }),
    mcp: Object.freeze({
      apiKeys: values.get("mcp.apiKeys") === true,
      detail: values.get("mcp.detail") as Detail,
    }),
    ingest: Object.freeze({
      timeoutMs: Number(values.get("ingest.timeout")),
      gitMemoryMiB: Number(values.get("ingest.gitMemory")),
    }),
    analysis: Object.freeze({
      modelFile: values.get("analysis.modelFile") as string | undefined,
    }),
    identity: Object.freeze({
      aliasFile: values.get("identity.aliasFile") as string | undefined,
      classFile: values.get("identity.classFile") as string | undefined,
    }),
  });
  return { config, origins };
}

/** How `roster mcp` reaches the service it asks. */
export interface ServiceAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly detail: Detail;
}

/** @throws ConfigFault naming the flag or variable at fault. */
export function readServiceAccess(
  flags: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ServiceAccess {
  refuseUnknownVariables(env);
  const [url, apiKey, detail] = serviceSettings.map((setting) => {
    const origin = originOf(setting, flags, env, undefined);
    return origin.text === undefined ? undefined : parsed(origin);
  });
  return { url: String(url), apiKey: apiKey as string | undefined, detail: detail as Detail };
}

/** The address to reach a listener at; a wildcard host is reached on this machine. */
export function getServiceUrl(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** A misspelt variable that is silently ignored gives a server that nobody meant. */
function refuseUnknownVariables(env: Readonly<Record<string, string | undefined>>): void {
  const known = new Set(["ROSTER_CONFIG"]);
  for (const setting of [...settings, ...serviceSettings]) {
    known.add(setting.env);
    if (setting.secret) known.add(`${setting.env}_FILE`);
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith("ROSTER_") || known.has(name)) continue;
    const meant = findNearest(name, known);
    throw new ConfigFault(
      `unknown variable ${name}${meant ? `; did you mean ${meant}?` : "; see roster config show"}`,
    );
  }
}

function originOf(
  setting: Setting,
  flags: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
  file: SettingsFile | undefined,
): SettingOrigin {
  const flag = flags[setting.key];
  if (flag !== undefined) return { setting, text: flag, from: `flag ${setting.flag}` };
  const variable = env[setting.env];
  if (variable) return { setting, text: variable, from: `environment ${setting.env}` };
  const secretPath = setting.secret ? env[`${setting.env}_FILE`] : undefined;
  if (secretPath) {
    const from = `environment ${setting.env}_FILE`;
    return { setting, text: readSecret(secretPath, from), from };
  }
  const inFile = file?.values.get(setting.key);
  if (file && inFile !== undefined) return { setting, text: inFile, from: `file ${file.path}` };
  return { setting, text: setting.default, from: "default" };
}

function readSecret(path: string, from: string): string {
  if (!existsSync(path)) throw new ConfigFault(`${from} names ${path}, which does not exist`);
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new ConfigFault(
      `${from} names ${path}, which cannot be read: ${(error as Error).message}`,
    );
  }
}

function parsed({ setting, text, from }: SettingOrigin): unknown {
  try {
    return setting.parse(text as string);
  } catch (error) {
    const got = setting.secret ? "" : `, got "${text}"`;
    throw new ConfigFault(`${setting.key} (${from}) must be ${(error as Error).message}${got}`);
  }
}

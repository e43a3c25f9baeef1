/**
 * Every setting, declared once: flags, environment, file, help and `config show` are read off this table.
 */
import { readNetwork } from "../contract/http/ip-address.ts";

/** Who may make an account in the browser. */
const signUpModes = ["open", "invitation", "closed"] as const;
export type SignUpMode = (typeof signUpModes)[number];

const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Setting {
  /** Name in the file; dots are TOML tables. */
  readonly key: string;
  /** Secrets have none: a command line is there for every process to read. */
  readonly flag?: string;
  readonly env: string;
  /** Also read from the file that `<env>_FILE` names. */
  readonly secret?: true;
  /** What stands for the value in help; a setting without one is a switch. */
  readonly takes?: string;
  readonly default: string | undefined;
  readonly help: string;
  /** @throws Error whose message says what would be right. */
  readonly parse: (text: string) => unknown;
}

export const settings: readonly Setting[] = [
  {
    key: "data",
    flag: "--data",
    env: "ROSTER_DATA",
    takes: "DIR",
    default: "./roster-data",
    help: "folder that holds everything",
    parse: asText,
  },
  {
    key: "host",
    flag: "--host",
    env: "ROSTER_HOST",
    takes: "HOST",
    default: "127.0.0.1",
    help: "address to listen on",
    parse: asText,
  },
  {
    key: "port",
    flag: "--port",
    env: "ROSTER_PORT",
    takes: "N",
    default: "7171",
    help: "port to listen on; 0 takes a free one",
    parse: (text) => asWhole(text, 0, 65_535),
  },
  {
    key: "publicUrl",
    flag: "--public-url",
    env: "ROSTER_PUBLIC_URL",
    takes: "URL",
    default: undefined,
    help: "address that callers use (default: from host and port)",
    parse: asUrl,
  },
  {
    key: "demo",
    flag: "--no-demo",
    env: "ROSTER_DEMO",
    default: "true",
    help: "start empty instead of with the demo people",
    parse: asSwitch,
  },
  {
    key: "adminKeyFile",
    flag: "--admin-key-file",
    env: "ROSTER_WRITE_ADMIN_KEY_TO",
    takes: "FILE",
    default: undefined,
    help: "write the first key to this file (mode 0600) instead of printing it",
    parse: asText,
  },
  {
    key: "adminKey",
    env: "ROSTER_ADMIN_KEY",
    secret: true,
    takes: "KEY",
    default: undefined,
    help: "use this first key, made by `roster key new`, instead of a random one",
    parse: asText,
  },
  {
    key: "logLevel",
    flag: "--log-level",
    env: "ROSTER_LOG_LEVEL",
    takes: "LEVEL",
    default: "info",
    help: logLevels.join(", "),
    parse: (text) => asOneOf(text, logLevels),
  },
  {
    key: "signIn.signUp",
    flag: "--sign-up",
    env: "ROSTER_SIGN_UP",
    takes: "MODE",
    default: "invitation",
    help: `who may make an account: anybody, whoever has a link, nobody (${signUpModes.join(", ")})`,
    parse: (text) => asOneOf(text, signUpModes),
  },
  {
    key: "signIn.assistantsRegister",
    flag: "--no-assistants-register",
    env: "ROSTER_ASSISTANTS_REGISTER",
    default: "true",
    help: "let no assistant register by itself: only those the operator registered connect",
    parse: asSwitch,
  },
  {
    key: "trustedProxies",
    flag: "--trusted-proxies",
    env: "ROSTER_TRUSTED_PROXIES",
    takes: "LIST",
    default: undefined,
    help: "addresses or networks of proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8, ::1 (default: none)",
    parse: asNetworks,
  },
  {
    key: "quota.countInvalid",
    flag: "--quota-count-invalid",
    env: "ROSTER_QUOTA_COUNT_INVALID",
    default: "false",
    help: "count malformed calls against the quota too",
    parse: asSwitch,
  },
  {
    key: "quota.trialDays",
    flag: "--quota-trial-days",
    env: "ROSTER_QUOTA_TRIAL_DAYS",
    takes: "N",
    default: undefined,
    help: "length of the free plan's trial, in days (default: it does not end)",
    parse: (text) => asWhole(text, 1, 36_500),
  },
  {
    key: "mcp.apiKeys",
    flag: "--no-mcp-api-keys",
    env: "ROSTER_MCP_API_KEYS",
    default: "true",
    help: "refuse API keys at /mcp: assistants sign in by browser only",
    parse: asSwitch,
  },
  {
    key: "analysis.modelFile",
    flag: "--analysis-model-file",
    env: "ROSTER_ANALYSIS_MODEL_FILE",
    takes: "FILE",
    default: undefined,
    help: "constants to judge with, of the form of seed/model.json (default: the built-in model)",
    parse: asText,
  },
  {
    key: "identity.aliasFile",
    flag: "--identity-alias-file",
    env: "ROSTER_IDENTITY_ALIAS_FILE",
    takes: "FILE",
    default: undefined,
    help: "who is whom in git histories, in the form of a mailmap (default: nothing is said)",
    parse: asText,
  },
  {
    key: "identity.classFile",
    flag: "--identity-class-file",
    env: "ROSTER_IDENTITY_CLASS_FILE",
    takes: "FILE",
    default: undefined,
    help: "who is a human, bot or assistant, against the built-in list (default: nothing is said)",
    parse: asText,
  },
];

/** How `roster mcp` reaches a service that runs elsewhere; the service itself knows neither. */
export const serviceSettings: readonly Setting[] = [
  {
    key: "url",
    flag: "--url",
    env: "ROSTER_URL",
    takes: "URL",
    default: "http://127.0.0.1:7171",
    help: "address of the service",
    parse: asUrl,
  },
  {
    key: "apiKey",
    env: "ROSTER_API_KEY",
    secret: true,
    takes: "KEY",
    default: undefined,
    help: "key to ask the service with",
    parse: asText,
  },
];

function asText(text: string): string {
  if (text.trim() === "") throw new Error("a text, not blank");
  return text;
}

function asWhole(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Error(`a whole number from ${min} to ${max}`);
  }
  return value;
}

function asSwitch(text: string): boolean {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
  if (["false", "0", "no", "off"].includes(text.toLowerCase())) return false;
  throw new Error("true or false");
}

function asOneOf<T extends string>(text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text);
  if (!value) throw new Error(`one of ${values.join(", ")}`);
  return value;
}

function asUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error("an http or https address without query or fragment");
  }
  return text.replace(/(?<!\/)\/+$/, "");
}

/** Checked here, used by the HTTP door. */
function asNetworks(text: string): readonly string[] {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  if (networks.length > 0 && networks.every(readNetwork)) return networks;
  throw new Error("addresses or networks such as 10.0.0.0/8, separated by commas");
}

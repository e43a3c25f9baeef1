/**
 * Every setting, declared once: flags, environment, file, help and `config show` are read off this table.
 */
import { details } from "../contract/detail.ts";
import {
  parseDuration,
  parseNetworks,
  parseOneOf,
  parsePrivateRedirects,
  parseSwitch,
  parseText,
  parseUrl,
  parseWholeNumber,
} from "./parse-setting.ts";

/** Who may make an account in the browser. */
const signUpModes = ["open", "invitation", "closed"] as const;
export type SignUpSetting = (typeof signUpModes)[number];

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

/** The service's, and that of `roster mcp`, which asks one. */
const mcpDetail: Setting = {
  key: "mcp.detail",
  flag: "--mcp-detail",
  env: "ROSTER_MCP_DETAIL",
  takes: "DETAIL",
  default: "full",
  help: `how much assistants are told (${details.join(", ")})`,
  parse: (text) => parseOneOf(text, details),
};

export const settings: readonly Setting[] = [
  {
    key: "data",
    flag: "--data",
    env: "ROSTER_DATA",
    takes: "DIR",
    default: "./roster-data",
    help: "folder that holds everything",
    parse: parseText,
  },
  {
    key: "host",
    flag: "--host",
    env: "ROSTER_HOST",
    takes: "HOST",
    default: "127.0.0.1",
    help: "address to listen on",
    parse: parseText,
  },
  {
    key: "port",
    flag: "--port",
    env: "ROSTER_PORT",
    takes: "N",
    default: "7171",
    help: "port to listen on; 0 takes a free one",
    parse: (text) => parseWholeNumber(text, 0, 65_535),
  },
  {
    key: "publicUrl",
    flag: "--public-url",
    env: "ROSTER_PUBLIC_URL",
    takes: "URL",
    default: undefined,
    help: "address that callers use (default: from host and port)",
    parse: parseUrl,
  },
  {
    key: "demo",
    flag: "--no-demo",
    env: "ROSTER_DEMO",
    default: "true",
    help: "start empty instead of with the demo people",
    parse: parseSwitch,
  },
  {
    key: "adminKeyFile",
    flag: "--admin-key-file",
    env: "ROSTER_WRITE_ADMIN_KEY_TO",
    takes: "FILE",
    default: undefined,
    help: "write the first key to this file (mode 0600) instead of printing it",
    parse: parseText,
  },
  {
    key: "adminKey",
    env: "ROSTER_ADMIN_KEY",
    secret: true,
    takes: "KEY",
    default: undefined,
    help: "use this first key, made by `roster key new`, instead of a random one",
    parse: parseText,
  },
  {
    key: "logLevel",
    flag: "--log-level",
    env: "ROSTER_LOG_LEVEL",
    takes: "LEVEL",
    default: "info",
    help: logLevels.join(", "),
    parse: (text) => parseOneOf(text, logLevels),
  },
  {
    key: "signIn.signUp",
    flag: "--sign-up",
    env: "ROSTER_SIGN_UP",
    takes: "MODE",
    default: "invitation",
    help: `who may make an account: anybody, whoever has a link, nobody (${signUpModes.join(", ")})`,
    parse: (text) => parseOneOf(text, signUpModes),
  },
  {
    key: "signIn.assistantsRegister",
    flag: "--no-assistants-register",
    env: "ROSTER_ASSISTANTS_REGISTER",
    default: "true",
    help: "let no assistant register by itself: only those the operator registered connect",
    parse: parseSwitch,
  },
  {
    key: "assistants.privateRedirects",
    flag: "--private-redirects",
    env: "ROSTER_PRIVATE_REDIRECTS",
    takes: "LIST",
    default: "cursor://anysphere.cursor-mcp/oauth/callback",
    help: "addresses of programs on people's machines that assistants may be answered at, or none",
    parse: parsePrivateRedirects,
  },
  {
    key: "assistants.registrationsPerHour",
    flag: "--registrations-per-hour",
    env: "ROSTER_REGISTRATIONS_PER_HOUR",
    takes: "N",
    default: "20",
    help: "how many new assistants may register from one network in an hour",
    parse: (text) => parseWholeNumber(text, 1, 100_000),
  },
  {
    key: "trustedProxies",
    flag: "--trusted-proxies",
    env: "ROSTER_TRUSTED_PROXIES",
    takes: "LIST",
    default: undefined,
    help: "addresses or networks of proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8, ::1 (default: none)",
    parse: parseNetworks,
  },
  {
    key: "quota.countInvalid",
    flag: "--quota-count-invalid",
    env: "ROSTER_QUOTA_COUNT_INVALID",
    default: "false",
    help: "count malformed calls against the quota too",
    parse: parseSwitch,
  },
  {
    key: "quota.trialDays",
    flag: "--quota-trial-days",
    env: "ROSTER_QUOTA_TRIAL_DAYS",
    takes: "N",
    default: undefined,
    help: "length of the free plan's trial, in days (default: it does not end)",
    parse: (text) => parseWholeNumber(text, 1, 36_500),
  },
  {
    key: "quota.lookupsPerMinute",
    flag: "--quota-lookups-per-minute",
    env: "ROSTER_QUOTA_LOOKUPS_PER_MINUTE",
    takes: "N",
    default: "120",
    help: "look-ups of one account in a minute, which cost no call; one address has five times as many",
    parse: (text) => parseWholeNumber(text, 1, 100_000),
  },
  {
    key: "mcp.apiKeys",
    flag: "--no-mcp-api-keys",
    env: "ROSTER_MCP_API_KEYS",
    default: "true",
    help: "refuse API keys at /mcp: assistants sign in by browser only",
    parse: parseSwitch,
  },
  mcpDetail,
  {
    key: "ingest.timeout",
    flag: "--timeout",
    env: "ROSTER_INGEST_TIMEOUT",
    takes: "DURATION",
    default: "1h",
    help: "what ingest git may take for one repository; one that takes longer is left out",
    parse: parseDuration,
  },
  {
    key: "ingest.gitMemory",
    flag: "--git-memory",
    env: "ROSTER_INGEST_GIT_MEMORY",
    takes: "MIB",
    default: "2048",
    help: "memory in MiB that each git process may take; a repository that needs more is left out",
    parse: (text) => parseWholeNumber(text, 64, 1_048_576),
  },
  {
    key: "analysis.modelFile",
    flag: "--analysis-model-file",
    env: "ROSTER_ANALYSIS_MODEL_FILE",
    takes: "FILE",
    default: undefined,
    help: "constants to judge with, of the form of seed/model.json (default: the built-in model)",
    parse: parseText,
  },
  {
    key: "identity.aliasFile",
    flag: "--identity-alias-file",
    env: "ROSTER_IDENTITY_ALIAS_FILE",
    takes: "FILE",
    default: undefined,
    help: "who is whom in git histories, in the form of a mailmap (default: nothing is said)",
    parse: parseText,
  },
  {
    key: "identity.classFile",
    flag: "--identity-class-file",
    env: "ROSTER_IDENTITY_CLASS_FILE",
    takes: "FILE",
    default: undefined,
    help: "who is a human, bot or assistant, against the built-in list (default: nothing is said)",
    parse: parseText,
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
    parse: parseUrl,
  },
  {
    key: "apiKey",
    env: "ROSTER_API_KEY",
    secret: true,
    takes: "KEY",
    default: undefined,
    help: "key to ask the service with",
    parse: parseText,
  },
  mcpDetail,
];

/** Declares all settings. Flags, variables, settings file, help, `config show` and `Config` are derived from these tables. */
import { details } from "../contract/caller.ts";
import {
  absoluteFolders,
  address,
  ageRecipients,
  contactAddress,
  createChoiceForm,
  createWholeNumberForm,
  databaseAddress,
  duration,
  filePath,
  folderPath,
  hostName,
  listenAddress,
  mailAddress,
  mailServer,
  networks,
  onOrOff,
  plainText,
  privateRedirects,
} from "./parse-setting.ts";
import { listSettings, type SettingTable } from "./setting-table.ts";

/** A setting that both `roster serve` and `roster mcp` have. */
const mcpDetail = {
  key: "mcp.detail",
  takes: "DETAIL",
  default: "full",
  help: `how much detail assistants get (${details.join(", ")})`,
  form: createChoiceForm(details),
} as const;

const createPeriod = (periods: string) =>
  ({
    default: "0",
    help: `number of ${periods} of which the newest backup is kept too; only those that have one are counted`,
    form: createWholeNumberForm(0, 10_000),
  }) as const;

/** Who may create an account in the browser. */
const signUpModes = ["open", "invitation", "closed"] as const;
const searchEngines = ["memory", "database"] as const;
const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export const serverTable = {
  data: { default: "./roster-data", help: "folder with all data", form: folderPath },
  host: {
    default: "127.0.0.1",
    help: "address to listen on, or a socket such as unix:/run/roster/roster.sock",
    form: hostName,
  },
  port: {
    default: "7171",
    help: "port to listen on; 0 takes a free port",
    form: createWholeNumberForm(0, 65_535),
  },
  publicUrl: {
    example: "https://roster.corp.example",
    help: "address that callers use (default: from host and port)",
    form: address,
  },
  securityContact: {
    example: "mailto:security@corp.example",
    help: "address for reports of vulnerabilities, for /.well-known/security.txt (default: no such file)",
    form: contactAddress,
  },
  demo: { default: "true", help: "start empty instead of with the demo people", form: onOrOff },
  adminKeyFile: {
    flag: "--admin-key-file",
    env: "ROSTER_WRITE_ADMIN_KEY_TO",
    example: "/run/roster/admin.key",
    help: "write the first key to this file (mode 0600) instead of printing it",
    form: filePath,
  },
  adminKey: {
    secret: true,
    takes: "KEY",
    example: "rst_...",
    help: "use this first key, made by `roster key new`, instead of a random one",
    form: plainText,
  },
  logLevel: {
    takes: "LEVEL",
    default: "info",
    help: `least severe messages to log (${logLevels.join(", ")})`,
    form: createChoiceForm(logLevels),
  },
  logFile: {
    example: "/var/log/roster/roster.log",
    help: "file for the server's log; SIGHUP reopens it after a rotation (default: standard error)",
    form: filePath,
  },
  signIn: {
    signUp: {
      env: "ROSTER_SIGN_UP",
      takes: "MODE",
      default: "invitation",
      help: `who may create an account: everyone, invited people, or no one (${signUpModes.join(", ")})`,
      form: createChoiceForm(signUpModes),
    },
    assistantsRegister: {
      env: "ROSTER_ASSISTANTS_REGISTER",
      default: "true",
      help: "allow only assistants that the operator registered",
      form: onOrOff,
    },
  },
  assistants: {
    privateRedirects: {
      env: "ROSTER_PRIVATE_REDIRECTS",
      default: "cursor://anysphere.cursor-mcp/oauth/callback",
      help: "redirect addresses with a private scheme that assistants may use, such as cursor://..., or none",
      form: privateRedirects,
    },
    registrationsPerHour: {
      env: "ROSTER_REGISTRATIONS_PER_HOUR",
      default: "20",
      help: "most assistants that may register from one network in an hour",
      form: createWholeNumberForm(1, 100_000),
    },
  },
  trustedProxies: {
    example: "10.0.0.0/8, ::1",
    help: "addresses or networks of proxies that may set X-Forwarded-For, e.g. 10.0.0.0/8, ::1 (default: none)",
    form: networks,
  },
  quota: {
    countInvalid: {
      default: "false",
      help: "count malformed calls against the quota too",
      form: onOrOff,
    },
    trialDays: {
      example: "30",
      help: "length of the free plan's trial, in days (default: no end)",
      form: createWholeNumberForm(1, 36_500),
    },
    lookupsPerMinute: {
      default: "120",
      help: "free look-ups of one account in a minute; one network address may make five times as many",
      form: createWholeNumberForm(1, 100_000),
    },
  },
  mcp: {
    apiKeys: {
      default: "true",
      help: "refuse API keys at /mcp, so that assistants must sign in by browser",
      form: onOrOff,
    },
    detail: mcpDetail,
  },
  ingest: {
    timeoutMs: {
      key: "ingest.timeout",
      flag: "--timeout",
      default: "1h",
      help: "time limit for one repository in ingest git; slower repositories are left out",
      form: duration,
    },
    gitMemoryMiB: {
      key: "ingest.gitMemory",
      flag: "--git-memory",
      takes: "MIB",
      default: "2048",
      help: "memory limit of each git process in MiB; repositories that need more are left out",
      form: createWholeNumberForm(64, 1_048_576),
    },
    roots: {
      example: "/srv/mirrors",
      help: "folders in which administrators may add sources from a page, separated by commas (default: none)",
      form: absoluteFolders,
    },
  },
  analysis: {
    modelFile: {
      example: "/etc/roster/model.json",
      help: "file with the constants of the scoring model, in the form of seed/model.json (default: the built-in model)",
      form: filePath,
    },
  },
  identity: {
    aliasFile: {
      example: "/etc/roster/aliases",
      help: "file that says which authors are one person, in the form of a mailmap (default: none)",
      form: filePath,
    },
    classFile: {
      example: "/etc/roster/classes",
      help: "file that says which authors are human, bot, assistant or nobody; overrides the built-in list (default: none)",
      form: filePath,
    },
    names: {
      takes: "WHERE",
      default: "repository",
      help: "whether authors with the same name are one person: within a `repository`, or never (`off`)",
      form: createChoiceForm<"repository" | "off">(["repository", "off"]),
    },
    publishCommitEmails: {
      env: "ROSTER_PUBLISH_COMMIT_EMAILS",
      default: "false",
      help: "show addresses from commits, for a company's own pool (default: only published addresses)",
      form: onOrOff,
    },
  },
  tls: {
    certFile: {
      example: "/etc/roster/tls.crt",
      help: "file with the certificate chain for https, as PEM (default: plain http)",
      form: filePath,
    },
    keyFile: {
      example: "/etc/roster/tls.key",
      help: "file with the private key of the certificate, as PEM; Roster rereads both files when they change",
      form: filePath,
    },
  },
  database: {
    url: {
      secret: true,
      example: "postgres://USER:PASSWORD@HOST:5432/roster",
      help: "PostgreSQL database for accounts and people, which any number of nodes share (default: the data folder)",
      form: databaseAddress,
    },
    connections: {
      default: "10",
      help: "connections from a node to the database: this many for accounts, and this many for people",
      form: createWholeNumberForm(2, 1000),
    },
  },
  search: {
    // There is no flag, because a command must use the same engine as its server.
    engine: {
      flag: false,
      takes: "ENGINE",
      default: "memory",
      help: `where the search index is: in the memory of each node, or in the database (${searchEngines.join(", ")})`,
      form: createChoiceForm(searchEngines),
    },
  },
  callsAtOnce: {
    default: "256",
    help: "most calls handled at once; calls beyond that get 503 with Retry-After, and are not counted",
    form: createWholeNumberForm(1, 100_000),
  },
  webhooks: {
    send: {
      default: "true",
      help: "let webhooks wait, such as on a copy of a server",
      form: onOrOff,
    },
  },
  mail: {
    server: {
      example: "smtp://mail.corp.example:587",
      help: "mail server that sends Roster's mail, such as smtp://mail.corp.example:587 (default: no mail)",
      form: mailServer,
    },
    from: { example: "roster@corp.example", help: "sender of mail", form: mailAddress },
    user: { takes: "USER", example: "roster", help: "user at the mail server", form: plainText },
    passwordFile: {
      example: "/etc/roster/mail.password",
      help: "file with the user's password (mode 0600), read at each use",
      form: filePath,
    },
    password: { secret: true, example: "...", help: "the user's password", form: plainText },
  },
  metrics: {
    listen: {
      example: "127.0.0.1:9171",
      help: "separate address for /metrics of Prometheus, such as 127.0.0.1:9171 (default: none)",
      form: listenAddress,
    },
    tokenFile: {
      example: "/etc/roster/metrics.token",
      help: "file with the bearer token that a monitor must send (default: no token)",
      form: filePath,
    },
  },
  changes: {
    keepDays: {
      default: "90",
      help: "days for which removed logins are listed for copies elsewhere; an older copy is read anew",
      form: createWholeNumberForm(1, 3650),
    },
  },
  keep: {
    runsDays: {
      default: "400",
      help: "days for which ended runs are listed; 0 means forever",
      form: createWholeNumberForm(0, 36_500),
    },
    leftoversDays: {
      default: "30",
      help: "days for which files from before restores and upgrades stay; the newest stay longer; 0 means forever",
      form: createWholeNumberForm(0, 36_500),
    },
  },
  traces: {
    endpoint: {
      example: "http://127.0.0.1:4318",
      help: "OpenTelemetry collector for a span of each request, such as http://127.0.0.1:4318 (default: none)",
      form: address,
    },
  },
  backup: {
    everyMs: {
      key: "backup.every",
      example: "1d",
      help: "time between backups of a running server, such as 1d (default: no backups)",
      form: duration,
    },
    folder: {
      example: "/srv/backups/roster",
      help: "folder for backups, best on another disk (default: backups in the data folder)",
      form: folderPath,
    },
    keep: {
      default: "7",
      help: "number of scheduled backups to keep, and of backups on request; a new backup removes older ones",
      form: createWholeNumberForm(1, 10_000),
    },
    keepDaily: createPeriod("days"),
    keepWeekly: createPeriod("weeks"),
    keepMonthly: createPeriod("months"),
    recipients: {
      flag: "--recipient",
      example: "age1examplekeyexamplekeyexamplekeyexamplekeyexamplekeyeqjs8hhw",
      help: "age keys that can open backups made elsewhere than in the server's folder (default: not encrypted)",
      form: ageRecipients,
    },
    download: {
      default: "true",
      help: "do not let administrators download backups",
      form: onOrOff,
    },
  },
  s3: {
    endpoint: {
      example: "https://s3.corp.example",
      help: "address of the S3-compatible storage for s3:// addresses (default: Amazon's of the region)",
      form: address,
    },
    region: {
      takes: "REGION",
      default: "us-east-1",
      help: "region of the storage",
      form: plainText,
    },
    keyId: { takes: "ID", example: "AKIA...", help: "id of the storage's key", form: plainText },
    secretFile: {
      example: "/etc/roster/s3.secret",
      help: "file with the secret of the storage's key (mode 0600), read at each use",
      form: filePath,
    },
    secret: {
      ...{ secret: true, takes: "SECRET", example: "...", form: plainText },
      help: "secret of the storage's key",
    },
    allowHttp: {
      default: "false",
      help: "allow an address of the storage without TLS, other than on this machine",
      form: onOrOff,
    },
  },
} as const satisfies SettingTable;

/** The heading of each group of settings. The key is the first part of the settings' names, e.g. `quota`. */
export const settingGroups: Readonly<Record<keyof typeof serverTable, string>> = {
  ...{ host: "Address", port: "Address", publicUrl: "Address", tls: "Address" },
  ...{ trustedProxies: "Address", callsAtOnce: "Address", securityContact: "Address" },
  ...{ data: "Data", demo: "Data", database: "Data", search: "Data", keep: "Data" },
  ...{ backup: "Backups", s3: "Backups" },
  ...{ signIn: "Sign-in and keys", adminKey: "Sign-in and keys", adminKeyFile: "Sign-in and keys" },
  ...{ assistants: "Assistants", mcp: "Assistants" },
  ...{ quota: "Calls", changes: "Calls" },
  webhooks: "Webhooks",
  mail: "Mail",
  ingest: "Git histories",
  ...{ identity: "Identities", analysis: "Scores" },
  ...{ logLevel: "Log and monitoring", logFile: "Log and monitoring" },
  ...{ metrics: "Log and monitoring", traces: "Log and monitoring" },
};

/** The settings of `roster mcp` for calling a Roster that runs elsewhere. A server does not read them. */
export const serviceTable = {
  url: {
    default: "http://127.0.0.1:7171",
    help: "address of the service",
    form: address,
  },
  apiKey: { secret: true, takes: "KEY", help: "API key for the service", form: plainText },
  detail: mcpDetail,
} as const satisfies SettingTable;

export const settings = listSettings(serverTable);
export const serviceSettings = listSettings(serviceTable);

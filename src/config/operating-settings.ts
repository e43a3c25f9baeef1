/** Settings for operating a server: monitoring and backups. */
import {
  address,
  createChoiceForm,
  createWholeNumberForm,
  databaseAddress,
  duration,
  listenAddress,
  onOrOff,
  plainText,
} from "./parse-setting.ts";
import type { SettingTable } from "./setting-table.ts";

const searchEngines = ["memory", "database"] as const;

/** @package */
export const operatingTable = {
  tls: {
    certFile: {
      takes: "FILE",
      example: "/etc/roster/tls.crt",
      help: "file with the certificate chain for https, as PEM (default: plain http)",
      form: plainText,
    },
    keyFile: {
      takes: "FILE",
      example: "/etc/roster/tls.key",
      help: "file with the private key of the certificate, as PEM; both files are read again when they change",
      form: plainText,
    },
  },
  database: {
    url: {
      secret: true,
      example: "postgres://USER:PASSWORD@HOST:5432/roster",
      help: "keep accounts and people in this PostgreSQL database, which any number of nodes share (default: in the data folder)",
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
  metrics: {
    listen: {
      example: "127.0.0.1:9171",
      help: "serve /metrics for Prometheus on a separate address, such as 127.0.0.1:9171 (default: nowhere)",
      form: listenAddress,
    },
    tokenFile: {
      takes: "FILE",
      example: "/etc/roster/metrics.token",
      help: "file with the bearer token that a monitor must send (default: no token)",
      form: plainText,
    },
  },
  traces: {
    endpoint: {
      example: "http://127.0.0.1:4318",
      help: "send a span of each request to this OpenTelemetry collector, such as http://127.0.0.1:4318 (default: nowhere)",
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
      takes: "DIR",
      example: "/srv/backups/roster",
      help: "folder for backups, best on another disk (default: backups in the data folder)",
      form: plainText,
    },
    keep: {
      default: "7",
      help: "number of scheduled backups to keep, and of backups on request; a new backup removes older ones",
      form: createWholeNumberForm(1, 10_000),
    },
    download: {
      default: "true",
      help: "do not let administrators download backups",
      form: onOrOff,
    },
  },
} as const satisfies SettingTable;

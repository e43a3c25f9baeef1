import { Gauge, type Registry } from "prom-client";
import type { ReadRepository } from "../contract/people/history-end.ts";

/** The state of the server at one moment. Unknown values are absent. */
export interface ServerState {
  readonly isReady: boolean;
  readonly faults: number;
  readonly poolPeople: number;
  /** The pool's revision as a new connection sees it. Undefined if no connection can be opened. */
  readonly poolRevision: number | undefined;
  readonly index:
    | {
        readonly people: number;
        readonly revision: number;
        readonly ageSeconds: number;
        /** Absent if the index was loaded from its file. */
        readonly buildSeconds: number | undefined;
      }
    | undefined;
  readonly sources: readonly {
    readonly source: string;
    readonly people: number;
    readonly lastImportSeconds: number;
  }[];
  /** The known Git repositories; undefined if they cannot be listed. */
  readonly repositories: readonly ReadRepository[] | undefined;
  /** Sizes by name: databases, their write-ahead logs, the index. */
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  readonly disk: { readonly freeBytes: number; readonly bytes: number } | undefined;
  /** The age of the latest backup. Null if there is no backup. Undefined if Roster cannot know the age. */
  readonly backupAgeSeconds: number | null | undefined;
}

/** Labels and a value. A gauge without labels has an empty record. */
type Sample = readonly [labels: Record<string, string>, value: number];
type Read = (state: ServerState) => readonly Sample[];

const plain = (value: number | undefined): readonly Sample[] =>
  value === undefined ? [] : [[{}, value]];

const gauges: readonly {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly read: Read;
}[] = [
  {
    name: "roster_ready",
    help: "1 if calls can be served, as /readyz says.",
    read: ({ isReady }) => plain(isReady ? 1 : 0),
  },
  {
    name: "roster_faults",
    help: "Number of reasons that /readyz gives for not serving calls.",
    read: ({ faults }) => plain(faults),
  },
  {
    name: "roster_pool_people",
    help: "People in the pool, including bots and assistants.",
    read: ({ poolPeople }) => plain(poolPeople),
  },
  {
    name: "roster_pool_revision",
    help: "The pool's revision as a new connection reads it; it grows with every visible change.",
    read: ({ poolRevision }) => plain(poolRevision),
  },
  {
    name: "roster_index_people",
    help: "People that search finds.",
    read: ({ index }) => plain(index?.people),
  },
  {
    name: "roster_index_revision",
    help: "The pool's revision in the search index.",
    read: ({ index }) => plain(index?.revision),
  },
  {
    name: "roster_index_age_seconds",
    help: "Time since the current index was loaded or built.",
    read: ({ index }) => plain(index?.ageSeconds),
  },
  {
    name: "roster_index_build_duration_seconds",
    help: "Time to build the current index; absent if it was loaded from its file.",
    read: ({ index }) => plain(index?.buildSeconds),
  },
  {
    name: "roster_source_people",
    help: "People by source.",
    label: "source",
    read: ({ sources }) => sources.map(({ source, people }) => [{ source }, people]),
  },
  {
    name: "roster_source_last_import_timestamp_seconds",
    help: "Time of the last import of a source, also of a git run that left repositories out.",
    label: "source",
    read: ({ sources }) =>
      sources.map(({ source, lastImportSeconds }) => [{ source }, lastImportSeconds]),
  },
  {
    name: "roster_repositories",
    help: "Known git repositories: read by the last run that was given them, left_out or gone.",
    label: "state",
    read: ({ repositories }) =>
      (repositories ? ["read", "left_out", "gone"] : []).map((state) => [
        { state },
        repositories?.filter(({ leftOut }) => (leftOut?.state ?? "read") === state).length ?? 0,
      ]),
  },
  {
    name: "roster_file_bytes",
    help: "Sizes of the files in the data folder.",
    label: "file",
    read: ({ files }) => files.map(({ file, bytes }) => [{ file }, bytes]),
  },
  {
    name: "roster_disk_free_bytes",
    help: "Free space on the disk of the data folder.",
    read: ({ disk }) => plain(disk?.freeBytes),
  },
  {
    name: "roster_disk_size_bytes",
    help: "Size of the disk of the data folder.",
    read: ({ disk }) => plain(disk?.bytes),
  },
  {
    name: "roster_backup_age_seconds",
    help: "Age of the latest complete backup; absent if there is none or it is not known, below 0 if the clock was ahead then.",
    read: ({ backupAgeSeconds }) => plain(backupAgeSeconds ?? undefined),
  },
  {
    name: "roster_backup_never",
    help: "1 if the data folder was never backed up; absent if that is not known, and on a node, whose database has its own backups.",
    read: ({ backupAgeSeconds: age }) =>
      plain(age === undefined ? undefined : age === null ? 1 : 0),
  },
];

/**
 * Registers the gauges of the server's state.
 * @returns a function that sets the source of the state. The state is read once for all gauges of a scrape.
 */
export function createStateGauges(registry: Registry): (read: () => Promise<ServerState>) => void {
  let readState: (() => Promise<ServerState>) | undefined;
  let reading: Promise<ServerState> | undefined;
  const readOnce = (): Promise<ServerState> | undefined => {
    reading ??= readState?.().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  for (const { name, help, label, read } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const state = await readOnce();
        this.reset();
        // Without labels, a reset gauge would show 0.
        if (label === undefined) this.remove();
        for (const [labels, value] of state ? read(state) : []) this.set(labels, value);
      },
    });
  }
  return (read) => {
    readState = read;
  };
}

/** Finds what Roster reads by itself: the sources of the settings file, and those that were added on a page. */
import { existsSync, realpathSync } from "node:fs";
import { hostname } from "node:os";
import { type Config, readSource, type SourceSettings } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { StoredSource } from "../../control/source-records.ts";
import { isShared } from "../folder/open-stores.ts";

export interface SourceEntry {
  readonly id: string;
  readonly settings: SourceSettings;
  readonly isFromFile: boolean;
  /** The other node that reads it. Undefined if this one does. */
  readonly reader: string | undefined;
  /** What the control store knows about it. Undefined if it never had a hook and was never read. */
  readonly stored: StoredSource | undefined;
}

export type SourceBook = ReturnType<typeof openSourceBook>;

/** @param ofFile returns the sources of the settings file. */
export function openSourceBook(
  config: Config,
  control: Pick<ControlStore, "sources">,
  ofFile = () => config.sources,
) {
  const ownReader = findReader(config);
  const toSource = (stored: StoredSource): readonly SourceEntry[] => {
    const { id, settings, reader } = stored;
    // The settings file is the owner of its sources. A row without settings only notes their state.
    if (settings === null || ofFile().some((one) => one.id === id)) return [];
    const isOwn = ownReader === "" || reader === ownReader;
    return [
      {
        ...{ id, stored, isFromFile: false, settings: readStored(id, settings, config.data) },
        reader: isOwn ? undefined : reader || "no node",
      },
    ];
  };
  const list = async (): Promise<readonly SourceEntry[]> => {
    const rows = await control.sources.list();
    const named = ofFile().map((settings): SourceEntry => {
      const stored = rows.find(({ id }) => id === settings.id);
      return { id: settings.id, settings, isFromFile: true, reader: undefined, stored };
    });
    return [...named, ...rows.flatMap(toSource)].sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  return {
    /** The reader of the sources that are saved here. Empty without a shared database. */
    ownReader,
    /** Lists the sources by id. @throws Fault if a stored source cannot be used. */
    list,
    /** Lists the sources that this data folder reads. */
    listOwn: async () => (await list()).filter(({ reader }) => reader === undefined),
    /** @throws Fault `not_found` for an unknown source, or for one that another node reads. */
    async find(id: string): Promise<SourceEntry> {
      const known = await list();
      const source = known.find((one) => one.id === id);
      if (!source) {
        const names = known.map((one) => one.id).join(", ") || "none";
        throw new Fault("not_found", `There is no source "${id}"; the sources are ${names}.`);
      }
      if (source.reader === undefined) return source;
      throw new Fault("not_found", `The source ${id} is read by another node, ${source.reader}.`);
    },
  };
}

/** Returns the address of a forge or repository, or the path of a folder. */
export const getSourceAddress = (settings: SourceSettings): string =>
  settings.kind === "folder" ? settings.path : settings.url;

/** Names the node that reads a source, because its token and its mirrors are in one data folder. */
export function findReader(config: Pick<Config, "data" | "database">): string {
  if (!isShared(config)) return "";
  try {
    return `${hostname()}:${realpathSync(config.data)}`;
  } catch {
    return `${hostname()}:${config.data}`;
  }
}

const whyGone =
  "Backups do not contain tokens, and other nodes have none. Type it again: Sources, Change.";

function readStored(id: string, settings: object, data: string): SourceSettings {
  try {
    const read = readSource({ ...settings, id }, data);
    const { tokenFile, readToken } = read;
    if (tokenFile === undefined) return read;
    const requireToken = () => {
      if (existsSync(tokenFile)) return readToken();
      throw new Fault("configuration", `The token of the source ${id} is not here. ${whyGone}`);
    };
    return { ...read, readToken: requireToken };
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("configuration", `the stored source ${id} cannot be used: ${reason}`);
  }
}

/** Removes a source with everything that it brought. */
import { existsSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { Config } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import { parseGitAddress } from "../../contract/git-address.ts";
import {
  forgetForge,
  getAddressHome,
  getMirrorHome,
  ingestGit,
  listLocations,
  listSources,
  removeMirrors,
  toForgeName,
} from "../../ingest/ingest.ts";
import type { DataFolder } from "../data-folder.ts";
import { createSourceIngest, type RefreshOptions } from "./refresh-sources.ts";
import { openSourceBook, type SourceEntry } from "./source-book.ts";
import { removeToken } from "./token-files.ts";

interface ForgetOptions extends Pick<RefreshOptions, "asOf" | "canRemoveMany" | "now" | "signal"> {
  readonly config: Config;
  /** The id of an account, or `operator`. */
  readonly by: string;
}

/**
 * Changes the pool first. If this fails, the source remains. A source of the settings file only loses its data.
 * @throws Fault `not_found` if there is no such source, or another node reads it.
 */
export async function removeSourceWithData(
  folder: DataFolder,
  id: string,
  { config, by, ...options }: ForgetOptions,
) {
  const { control } = folder;
  const forges = folder.findForges();
  const book = openSourceBook(config, control);
  const sources = await book.list();
  const source = sources.find((one) => one.id === id);
  const isForge = listSources(forges).some((one) => one.id === id);
  const home = source && findHome(source, sources, config.data);
  const places = listLocations(folder.findLedger()).filter(
    ({ directory }) => home && directory && `${directory}${sep}`.startsWith(home.path + sep),
  );
  const hasData = isForge || places.length > 0;
  if (!hasData && (!source || source.isFromFile)) {
    throw new Fault("not_found", `There is no source with the id ${id}.`);
  }
  if (source?.reader !== undefined) await book.find(id);
  const forgetting = places.map((place) => place.id);
  const ingest = { ...createSourceIngest(folder, options), forgetting };
  const imported = isForge
    ? await forgetForge({ ...ingest, id, forges })
    : hasData && (await ingestGit({ ...ingest, paths: [] })).imported;
  if (home?.lockedAt !== undefined) {
    const mirrors = places.map(({ directory }) => directory ?? home.path);
    await removeMirrors(home.lockedAt, mirrors, { onProgress: () => {}, signal: options.signal });
  }
  if (source && !source.isFromFile) {
    const about = { action: "source.removed", subject: id, detail: {} } as const;
    await control.sources.remove(id, { at: options.now(), actor: by, ...about });
    removeToken(config.data, id);
  }
  return { ...none, ...imported };
}

const none = { added: 0, replaced: 0, unchanged: 0, removed: 0 };

/**
 * Finds the folder with the histories of a source.
 * @returns `lockedAt` is the folder of mirrors, if Roster has made them for this source alone.
 */
function findHome({ id, settings }: SourceEntry, sources: readonly SourceEntry[], data: string) {
  const path = getHistories(settings, data);
  if (path === undefined || !existsSync(path)) return undefined;
  const isMade = path.startsWith(join(data, "mirrors") + sep);
  const others = sources.filter((one) => one.id !== id);
  if (isMade && others.some((one) => getHistories(one.settings, data) === path)) return undefined;
  const lockedAt = settings.kind === "git" ? getAddressHome(data) : path;
  return { path: realpathSync(path), lockedAt: isMade ? lockedAt : undefined };
}

function getHistories(settings: SourceEntry["settings"], data: string): string | undefined {
  if (settings.kind === "folder") return settings.path;
  if (settings.kind !== "git")
    return settings.mirror && getMirrorHome(settings.mirror, toForgeName(settings.url));
  return join(getAddressHome(data), parseGitAddress(settings.url, ["http"]).place);
}

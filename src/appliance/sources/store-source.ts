/** Finds out what an address is, and stores it as a source. */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { type Config, readSource } from "../../config/config.ts";
import { formatCounted } from "../../contract/format.ts";
import type { ControlStore } from "../../control/control-store.ts";
import {
  findRepositories,
  getAddressHome,
  probeAddress,
  type SourceFinding,
} from "../../ingest/ingest.ts";
import type { SourceDraft, Sources } from "../../interfaces/web/web.ts";
import { chooseIngestFolder } from "./ingest-folder.ts";
import { getSourceAddress, type SourceBook, type SourceEntry } from "./source-book.ts";
import { getTokenFile, removeToken, writeToken } from "./token-files.ts";

export interface StoreParts {
  readonly config: Config;
  readonly book: SourceBook;
  readonly folder: { readonly control: Pick<ControlStore, "sources"> };
  readonly now: () => Date;
}

const examplesMax = 5;

/** @param before the source whose token is used if none is typed. */
export async function findAt(
  { config }: Pick<StoreParts, "config">,
  { address, token: typed }: Parameters<Sources["find"]>[0],
  before: SourceEntry | undefined,
): Promise<SourceFinding> {
  // The stored token goes nowhere else.
  if (before && address !== getSourceAddress(before.settings)) return refuseMove;
  if (isAbsolute(address)) return findFolder(address, config);
  let token = typed;
  try {
    if (before?.reader === undefined) token ??= before?.settings.readToken();
  } catch (error) {
    return { ok: false, field: "token", message: (error as Error).message };
  }
  const { data, environment, userEnvironment, ingest } = config;
  const home = getAddressHome(data);
  const memoryMiB = ingest.gitMemoryMiB;
  return probeAddress({ address, token, home, environment, userEnvironment, memoryMiB });
}

const refuseMove = {
  ok: false,
  field: "address",
  message: "The address of a source stays. Add the other address as a new source.",
} as const;

function findFolder(typed: string, { ingest }: Pick<Config, "ingest">): SourceFinding {
  const chosen = chooseIngestFolder(typed, ingest.roots ?? []);
  if (!chosen.ok) return { ok: false, field: "address", message: chosen.message };
  const found = findRepositories([chosen.path]).filter((one) => "kind" in one);
  if (found.length === 0) {
    const message = "There is no git repository in this folder, or up to four levels below it.";
    return { ok: false, field: "address", message };
  }
  const examples = found
    .slice(0, examplesMax)
    .map(({ path }) => relative(chosen.path, path) || path);
  const product = formatCounted(found.length, "repository", "repositories");
  return {
    ...{ ok: true, kind: "folder", url: chosen.path, product, account: undefined, choices: [] },
    examples,
  };
}

const mirrorFolder = "mirrors/forges";

/** Stores a new source, or changes a stored one. @returns its id, or what is wrong. */
export async function writeSource(
  { config, book, folder, now }: StoreParts,
  { id: given, finding, token, select, everyHours }: SourceDraft,
  by: string,
): ReturnType<Sources["save"]> {
  const { kind, url } = finding;
  const sources = await book.list();
  const before = sources.find((one) => one.id === given);
  if (given !== undefined && (!before || before.isFromFile)) {
    return { ok: false, field: "address", message: "There is no such source to change." };
  }
  if (before && getSourceAddress(before.settings) !== url) return refuseMove;
  const id = given ?? chooseId(url, new Set(sources.map((one) => one.id)));
  const kept: { readonly mirror?: string; readonly tokenFile?: string } =
    before?.stored?.settings ?? {};
  const tokenFile = token === undefined ? undefined : getTokenFile(id);
  if (!tokenFile && kept.tokenFile && !existsSync(join(config.data, getTokenFile(id)))) {
    return { ok: false, field: "token", message: "The token is not on this node: type it again." };
  }
  const settings = {
    ...{ ...kept, kind, everyHours, ...(kind === "folder" ? { path: url } : { url }) },
    ...(kind !== "git" && kind !== "folder" && { mirror: kept.mirror ?? mirrorFolder, select }),
    ...(url.startsWith("http:") && { allowHttp: true }),
    ...(tokenFile !== undefined && { tokenFile }),
  };
  try {
    readSource({ ...settings, id }, config.data);
  } catch (error) {
    const { message } = error as Error;
    return { ok: false, field: /^\w+/.exec(message)?.[0] ?? "address", message };
  }
  if (token !== undefined) writeToken(config.data, id, token);
  const action = before ? "source.changed" : "source.added";
  const entry = { at: now(), actor: by, action, subject: id, detail: { kind } } as const;
  try {
    await folder.control.sources.save(id, settings, book.ownReader, entry);
  } catch (error) {
    if (!before) removeToken(config.data, id);
    throw error;
  }
  return { ok: true, id };
}

/** Derives an id from the host of a forge, or from the name of a repository or folder. */
function chooseId(url: string, taken: ReadonlySet<string>): string {
  const isPlace = /^https?:\/\/[^/]+\/?$/.test(url);
  const name = isPlace ? new URL(url).host : (url.split(/[/:]/).findLast(Boolean) ?? "");
  const clean = name
    .toLowerCase()
    .replace(/\.git$/, "")
    .replace(/[^a-z0-9.-]/g, "-")
    .replace(/^[.-]+/, "");
  const base = clean.slice(0, 50) || "source";
  for (let number = 2, id = base; ; number += 1) {
    if (!taken.has(id)) return id;
    id = `${base}-${number}`;
  }
}

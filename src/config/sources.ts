/**
 * Reads the `[[sources]]` of the settings file: what Roster reads by itself. Tokens are read at each use, so a new token needs
 * no restart.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault } from "../contract/fault.ts";
import {
  type ForgeKind,
  forgeKinds,
  type SourceKind,
  sourceKinds,
} from "../contract/forge-kinds.ts";
import { parseGitAddress } from "../contract/git-address.ts";
import { addRule, type Static, type TObject, Type } from "../contract/schema.ts";
import {
  entryId as id,
  readTable,
  readTables,
  refuseUnknownSettings,
  createText as text,
  createWhole as whole,
} from "./read-tables.ts";

const selections =
  'a list such as ["org:acme"]; org:, team:, group:, user:, file: and search: name people, "all" means everybody';

const kindOf = <Kind extends SourceKind>(kinds: readonly Kind[]) =>
  Type.Unsafe<Kind>({ enum: [...kinds] });
const path = text("the path of a file");
const everyHours = Type.Optional(whole(1, 8760));
const ofServers = {
  tokenFile: Type.Optional(path),
  caFile: Type.Optional(path),
  allowHttp: Type.Optional(Type.Boolean()),
};

const ForgeTable = Type.Object({
  ...{ id, kind: kindOf<ForgeKind>(forgeKinds), everyHours, ...ofServers },
  url: text("an http or https address without a user, query or fragment", "^https?://[^@?#\\s]+$"),
  select: addRule(
    selections,
    Type.Array(
      addRule(
        selections,
        Type.String({ pattern: "^(all|(org|team|group|user|file|search):\\S.*)$" }),
      ),
      { minItems: 1 },
    ),
  ),
  limit: Type.Optional(whole(1, 1_000_000)),
  maxHours: Type.Optional(whole(1, 168)),
  maxPeople: Type.Optional(whole(1, 10_000_000)),
  requestsPerHour: Type.Optional(whole(1, 1_000_000)),
  noreplyHost: Type.Optional(text("the part of noreply addresses after the @", "^[a-z0-9.-]+$")),
  mirror: Type.Optional(text("the path of a folder")),
  mirrorPerPerson: Type.Optional(whole(1, 1000)),
  mirrorMegabytes: Type.Optional(whole(1, 1_000_000)),
});

const RepositoryTable = Type.Object({
  ...{ id, kind: kindOf(["git"]), everyHours, ...ofServers },
  url: text("the address of a repository"),
});
const FolderTable = Type.Object({
  ...{ id, kind: kindOf(["folder"]), everyHours },
  path: text("the path of a folder"),
});

interface SharedSettings {
  readonly everyHours: number;
  /** The file with the token. Undefined without a token, or if a variable names it. */
  readonly tokenFile?: string;
  /** Reads the token. @returns undefined if no token is configured. @throws Fault if the token cannot be read. */
  readonly readToken: () => string | undefined;
}

export interface ForgeSettings
  extends SharedSettings,
    Omit<Static<typeof ForgeTable>, keyof SharedSettings | "maxHours"> {
  /** The time limit of one refresh from the forge. */
  readonly maxHours: number;
}

export type RepositorySettings = SharedSettings &
  Omit<Static<typeof RepositoryTable>, keyof SharedSettings>;

/** One of the `[[sources]]`. Its paths are absolute. */
export type SourceSettings =
  | ForgeSettings
  | RepositorySettings
  | (SharedSettings & Omit<Static<typeof FolderTable>, keyof SharedSettings>);

/** Matches names of variables such as `ROSTER_SOURCE_CORP_TOKEN` and `ROSTER_SOURCE_CORP_TOKEN_FILE`. */
export const sourceVariable = /^ROSTER_SOURCE_[A-Z0-9_]+_TOKEN(_FILE)?$/;

/** @package @returns the environment variable from which the token of a source can be read. */
export const deriveTokenVariable = (id: string): string =>
  `ROSTER_SOURCE_${id.toUpperCase().replace(/[.-]/g, "_")}_TOKEN`;

/** @package @param file path of the settings file. Paths in it are relative to its folder. @throws Error that names the entry. */
export function readSources(
  value: unknown,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly SourceSettings[] {
  return readTables("sources", value, (table) => readSource(table, dirname(file), env));
}

const tables = { git: RepositoryTable, folder: FolderTable };
const kindTable = Type.Object({ id, kind: kindOf<SourceKind>(sourceKinds) });

/**
 * Reads a table of a source. The pages store sources in the same form.
 * @param folder paths in the table are relative to it. @throws Error that names the wrong setting.
 */
export function readSource(
  table: object,
  folder: string,
  env: Readonly<Record<string, string | undefined>> = {},
): SourceSettings {
  refuseUnknownSettings([ForgeTable, RepositoryTable, FolderTable], table);
  const { id, kind } = readTable(kindTable, table);
  const own: TObject = kind in tables ? tables[kind as keyof typeof tables] : ForgeTable;
  const foreign = Object.keys(table).find((name) => !(name in own.properties));
  if (foreign !== undefined) throw new Error(`${foreign} is no setting of the kind "${kind}"`);
  const source = readTable(own, table) as Static<typeof ForgeTable>;
  const { url, everyHours = 24, tokenFile, caFile, mirror, select } = source;
  const whole = (path: string) => resolve(folder, path);
  const variable = deriveTokenVariable(id);
  const tokenPath = env[`${variable}_FILE`] ?? (tokenFile && whole(tokenFile));
  const read = {
    ...{ ...source, everyHours },
    ...(url !== undefined && { url: url.replace(/(?<!\/)\/+$/, "") }),
    ...("path" in source && { path: whole(source.path as string) }),
    ...(tokenPath !== undefined && { tokenFile: tokenPath }),
    ...(caFile !== undefined && { caFile: whole(caFile) }),
    readToken: () => env[variable] ?? (tokenPath && readTokenFile(tokenPath)),
  };
  if (kind === "git") parseGitAddress(url, source.allowHttp ? ["http"] : []);
  if (own !== ForgeTable) return read as SourceSettings;
  return {
    ...read,
    maxHours: source.maxHours ?? 6,
    select: select.map((one) =>
      one.startsWith("file:") ? `file:${whole(one.slice("file:".length))}` : one,
    ),
    ...(mirror !== undefined && { mirror: whole(mirror) }),
  };
}

/** @throws Fault if the file cannot be read, other users may read it, or it contains more than the token, password or secret. */
export function readTokenFile(
  path: string,
  word: "token" | "password" | "secret" = "token",
): string {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("configuration", `the ${word} file ${path} cannot be read: ${reason}`);
  }
  if ((mode & 0o077) !== 0) {
    throw new Fault(
      "configuration",
      `${path} contains a ${word}, and other users can read it: set its mode to 0600`,
    );
  }
  // A password may have spaces and other letters.
  if (!(word === "token" ? /^[\x21-\x7e]+$/ : /^\P{Cc}+$/u).test(text)) {
    throw new Fault("configuration", `${path} must contain one ${word} and nothing else`);
  }
  return text;
}

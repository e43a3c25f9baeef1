/**
 * Reads the `[[sources]]` of the settings file: forges from which Roster reads people. Tokens are read at each use, so a new
 * token needs no restart.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault } from "../contract/fault.ts";
import { type ForgeKind, forgeKinds } from "../contract/forge-kinds.ts";
import { addRule, type Static, Type } from "../contract/schema.ts";
import { readTable, readTables, refuseUnknownSettings } from "./read-tables.ts";

const text = (rule: string, pattern = "\\S") => addRule(rule, Type.String({ pattern }));
const whole = (min: number, max: number) =>
  addRule(`a whole number from ${min} to ${max}`, Type.Integer({ minimum: min, maximum: max }));
const selections =
  'a list such as ["org:acme"]; org:, team:, group:, user:, file: and search: name people, "all" means everybody';

const Source = Type.Object({
  id: text("small letters, digits, dots and dashes", "^[a-z0-9][a-z0-9.-]{0,59}$"),
  kind: Type.Unsafe<ForgeKind>({ enum: [...forgeKinds] }),
  url: text("an http or https address without a user, query or fragment", "^https?://[^@?#\\s]+$"),
  tokenFile: Type.Optional(text("the path of a file")),
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
  everyHours: Type.Optional(whole(1, 8760)),
  maxHours: Type.Optional(whole(1, 168)),
  maxPeople: Type.Optional(whole(1, 10_000_000)),
  requestsPerHour: Type.Optional(whole(1, 1_000_000)),
  caFile: Type.Optional(text("the path of a file")),
  noreplyHost: Type.Optional(text("the part of noreply addresses after the @", "^[a-z0-9.-]+$")),
  allowHttp: Type.Optional(Type.Boolean()),
  mirror: Type.Optional(text("the path of a folder")),
  mirrorPerPerson: Type.Optional(whole(1, 1000)),
  mirrorMegabytes: Type.Optional(whole(1, 1_000_000)),
});

/** One of the `[[sources]]`. Its paths are absolute. */
export interface SourceSettings extends Omit<Static<typeof Source>, "everyHours" | "maxHours"> {
  readonly everyHours: number;
  /** The time limit of one refresh from the forge. */
  readonly maxHours: number;
  /** Reads the token. @returns undefined if no token is configured. @throws Fault if the token cannot be read. */
  readonly readToken: () => string | undefined;
}

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

function readSource(
  table: object,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): SourceSettings {
  refuseUnknownSettings([Source], table);
  const source = readTable(Source, table);
  const { id, url, everyHours = 24, maxHours = 6, tokenFile, caFile, mirror, select } = source;
  const whole = (path: string) => resolve(folder, path);
  const variable = deriveTokenVariable(id);
  const path = env[`${variable}_FILE`] ?? (tokenFile && whole(tokenFile));
  return {
    ...source,
    ...{ url: url.replace(/(?<!\/)\/+$/, ""), everyHours, maxHours },
    select: select.map((one) =>
      one.startsWith("file:") ? `file:${whole(one.slice("file:".length))}` : one,
    ),
    ...(caFile !== undefined && { caFile: whole(caFile) }),
    ...(mirror !== undefined && { mirror: whole(mirror) }),
    readToken: () => env[variable] ?? (path === undefined ? undefined : readTokenFile(path)),
  };
}

/** @throws Fault if the file cannot be read, other users may read it, or it contains more than a token. */
export function readTokenFile(path: string): string {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("configuration", `the token file ${path} cannot be read: ${reason}`);
  }
  if ((mode & 0o077) !== 0) {
    throw new Fault(
      "configuration",
      `${path} contains a token, and other users can read it: set its mode to 0600`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new Fault("configuration", `${path} must contain one token and nothing else`);
  }
  return text;
}

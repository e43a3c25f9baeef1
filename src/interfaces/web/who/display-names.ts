import type { WhoData } from "../../../contract/people/who-knows.ts";
import type { Modules } from "../../../operations/operation.ts";

/** Display names by login, of those who have one. */
export type Names = ReadonlyMap<string, string | undefined>;

/** Reads the names of everybody whom an answer names by login alone, and of others; it is part of the same call. */
export async function readDisplayNames(
  { pool }: Pick<Modules, "pool">,
  data: Pick<WhoData, "truckFactor" | "soleFiles" | "handover" | "ownership">,
  others: readonly string[] = [],
): Promise<Names> {
  const { truckFactor, soleFiles, handover, ownership } = data;
  const logins = new Set([
    ...others,
    ...truckFactor.logins,
    ...soleFiles.files.map(({ login }) => login),
    ...(handover?.logins ?? []),
    ...(handover?.folders ?? []).flatMap(({ next }) => next.map(({ login }) => login)),
    ...(ownership?.drifting.rules ?? []).flatMap(({ departed, unnamed }) =>
      [...departed, ...unnamed].map(({ login }) => login),
    ),
  ]);
  const cards = await pool.findCards([...logins]);
  return new Map([...logins].map((login, at) => [login, cards[at]?.name]));
}

/** Reads the display names of people for whom an answer of `who_knows` has only a login. */
import type { WhoData } from "../contract/people/who-knows.ts";
import type { Modules } from "./operation.ts";

/** Display names by login, of the people who are known. */
export type WhoNames = ReadonlyMap<string, string | undefined>;

type Named = Pick<WhoData, "truckFactor" | "soleFiles" | "handover" | "ownership">;

/** Lists the logins in an answer, apart from those of its people. */
export function listNamedLogins({
  truckFactor,
  soleFiles,
  handover,
  ownership,
}: Named): readonly string[] {
  const people = [
    ...soleFiles.files,
    ...[...(handover?.folders ?? []), ...(handover?.repositories ?? [])].flatMap(
      ({ next }) => next,
    ),
    ...(ownership?.drifting.rules ?? []).flatMap((rule) => [...rule.departed, ...rule.unnamed]),
  ];
  const logins = people.map(({ login }) => login);
  return [...truckFactor.logins, ...(handover?.logins ?? []), ...logins];
}

export async function readWhoNames(
  { pool }: Pick<Modules, "pool">,
  logins: readonly string[],
): Promise<WhoNames> {
  const all = [...new Set(logins)];
  const cards = await pool.findCards(all);
  return new Map(all.flatMap((login, at) => (cards[at] ? [[login, cards[at].name]] : [])));
}

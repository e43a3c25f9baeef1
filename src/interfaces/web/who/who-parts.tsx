/** Parts of the page "Who knows": names of people, their shares, and numbers with a label. */
import type { WhoData } from "../../../contract/people/who-knows.ts";
import type { Modules } from "../../../operations/operation.ts";
import { formatCount, formatShare } from "../look/format.ts";
import { DeveloperLink } from "../look/people.tsx";

export type Names = ReadonlyMap<string, string | undefined>;

/** Reads the names of `others` and of all people for whom the answer has only a login. */
export async function readDisplayNames(
  { pool }: Pick<Modules, "pool">,
  data: Pick<WhoData, "truckFactor" | "soleFiles" | "handover" | "ownership">,
  others: readonly string[] = [],
): Promise<Names> {
  const { truckFactor, soleFiles, handover, ownership } = data;
  const people = [
    ...soleFiles.files,
    ...(handover?.folders ?? []).flatMap(({ next }) => next),
    ...(ownership?.drifting.rules ?? []).flatMap((rule) => [...rule.departed, ...rule.unnamed]),
  ];
  const logins = new Set([
    ...others,
    ...truckFactor.logins,
    ...(handover?.logins ?? []),
    ...people.map(({ login }) => login),
  ]);
  const cards = await pool.findCards([...logins]);
  return new Map([...logins].map((login, at) => [login, cards[at]?.name]));
}

interface KnowerSharesProperties {
  readonly people: readonly { login: string; share: number; hasLeft?: boolean }[];
  readonly names: Names;
}

/** Shows people on one line, each with their share of the knowledge. */
export function KnowerShares({ people, names }: KnowerSharesProperties) {
  if (people.length === 0) return <strong>nobody</strong>;
  return (
    <>
      {people.map(({ login, share, hasLeft }, at) => (
        <>
          {at > 0 && ", "}
          <DeveloperLink login={login} name={names.get(login)} />{" "}
          <span class="muted">
            {formatShare(share)}
            {hasLeft && ", has left"}
          </span>
        </>
      ))}
    </>
  );
}

interface LabelledProperties {
  readonly count: number;
  /** A label before the number. Shown only on phones. */
  readonly before?: string;
  /** The noun after the number, in the singular. Shown only on phones. */
  readonly noun?: string;
}

/** A number in a table. On phones, the table has no headings, so the number gets a label. */
export function Labelled({ count, before, noun }: LabelledProperties) {
  return (
    <>
      {before && <span class="stacked-label">{before} </span>}
      {formatCount(count)}
      {noun && <span class="stacked-label"> {count === 1 ? noun : `${noun}s`}</span>}
    </>
  );
}

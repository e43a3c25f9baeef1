import { DeveloperLink, formatShare } from "../look/people.tsx";
import type { Names } from "./display-names.ts";

interface KnowerSharesProperties {
  readonly people: readonly { login: string; share: number; hasLeft?: boolean }[];
  readonly names: Names;
}

/** People on one line, each with their share of what is known. */
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

import type { WhoNames } from "../../../operations/who-names.ts";
import { formatShare } from "../look/format.ts";
import { Badge } from "../look/parts.tsx";
import { Avatar, DeveloperLink, formatPersonColor } from "../look/people.tsx";

/** A person with avatar and name. Without a login, it says that there is no one. */
export function PersonLine({ login, names }: { login: string | undefined; names: WhoNames }) {
  if (login === undefined) return <Badge tone="bad">no one</Badge>;
  return (
    <span class="person-line">
      <Avatar login={login} name={names.get(login)} />
      <DeveloperLink login={login} name={names.get(login)} />
    </span>
  );
}

interface KnowersProperties {
  readonly people: readonly { login: string; share: number; hasLeft?: boolean }[];
  readonly names: WhoNames;
}

/** A bar from 0 to 100 % with a part for each person, and below it the people with their colors and shares. */
export function Knowers({ people, names }: KnowersProperties) {
  if (people.length === 0) return <Badge tone="warn">no one</Badge>;
  let end = 0;
  const parts = people.map(({ login, share }) => {
    const from = end;
    end += 100 * share;
    const [x, width] = [from, Math.max(0.2, 100 * share - 0.3)].map((one) => `${one.toFixed(2)}%`);
    return <rect x={x} width={width} height="100%" fill={formatPersonColor(login)} />;
  });
  return (
    <>
      <svg class="shares" aria-hidden="true">
        {parts}
      </svg>
      <span class="share-names small">
        {people.map(({ login, share, hasLeft }) => (
          <span>
            <svg width="8" height="8" aria-hidden="true">
              <circle cx="4" cy="4" r="4" fill={formatPersonColor(login)} />
            </svg>{" "}
            <DeveloperLink login={login} name={names.get(login)} />{" "}
            <span class="muted">
              {formatShare(share)}
              {hasLeft && ", has left"}
            </span>
          </span>
        ))}
      </span>
    </>
  );
}

const stepsMax = 6;

/** Indents the name of a row of a tree. Levels deeper than six are not indented further. */
export function Steps({ depth }: { readonly depth: number }) {
  const steps = Array.from({ length: Math.min(depth, stepsMax) }, () => <span class="tree-step" />);
  return <>{steps}</>;
}

/** Turns what ownership files say, and history does not, into the answer: with a sentence for each person. */
import type { OwnershipFiles } from "../../contract/people/ownership-drift.ts";
import type { KnownOwner } from "../../contract/people/ownership-rule.ts";
import { formatPercent } from "../describe-person.ts";
import type { MeasuredOwnership } from "./measure-ownership.ts";
import type { OwnershipDrift } from "./ownership-drift.ts";

const rulesMax = 100;

/** @param spell gives a lower-cased login as its owner writes it. */
export function toOwnershipFiles(
  { files, rules, judged, drifting }: MeasuredOwnership,
  spell: (login: string) => string,
): OwnershipFiles {
  return {
    files: [...files],
    ...{ rules, judged },
    drifting: {
      total: drifting.length,
      rules: drifting.slice(0, rulesMax).map((drift) => ({
        ...{ file: drift.rule.file, line: drift.rule.line, pattern: drift.rule.pattern },
        files: drift.files,
        owners: drift.rule.owners.map(formatOwner),
        departed: drift.departed.map((one) => ({
          ...{ owner: formatOwner(one.owner), login: spell(one.login), lastDay: one.lastDay },
          reason: explainDeparted(one),
        })),
        unnamed: drift.unnamed.map(({ login, share, lastDay }) => ({
          ...{ login: spell(login), share: Math.round(share * 1000) / 1000, lastDay },
          reason: `Knows ${formatPercent(share)} of these files, last changed one on ${lastDay}, and is no owner.`,
        })),
        unknown: drift.unknown.map(formatOwner),
        teams: drift.teams.map(formatOwner),
      })),
    },
  };
}

function explainDeparted({ knower, lastDay }: OwnershipDrift["departed"][number]): string {
  const anywhere = `the last work in the repository was on ${lastDay}`;
  if (!knower) return `Has never changed these files, and ${anywhere}.`;
  const { lastDay: here, share, rank } = knower;
  const left = `has ${formatPercent(share)} of what is known of them, as number ${rank}`;
  const since = lastDay > here ? `; ${anywhere}` : "";
  return `Last changed these files on ${here}, and ${left}${since}.`;
}

function formatOwner(owner: KnownOwner): string {
  if ("email" in owner) return owner.email;
  return `@${"team" in owner ? owner.team : owner.login}`;
}

/** Reads seed/vocabulary/trades.txt: trades that people search for but that history does not show. */
import list from "../../seed/vocabulary/trades.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";
import { normalise } from "./normalise.ts";
import type { Role } from "./roles.ts";
import type { Skill } from "./skills.ts";

/** A trade that history does not show, with the nearest role and skill. */
export interface Trade {
  /** A clause, such as "git history does not show design". */
  readonly why: string;
  readonly role: Role | undefined;
  readonly skill: Skill | undefined;
}

interface Names {
  findRole(text: string): Role | undefined;
  findSkill(text: string): Skill | undefined;
}

/** @returns trades by normalized name, in the singular and the plural. @throws Error if the list is wrong. */
export function readTrades({ findRole, findSkill }: Names): ReadonlyMap<string, Trade> {
  const trades = new Map<string, Trade>();
  for (const line of readListLines(list)) {
    const [why = "", roleId = "", skillId = "", names = ""] = line.split(" | ");
    const trade: Trade = {
      why,
      role: roleId === "-" ? undefined : known(findRole(roleId), roleId),
      skill: skillId === "-" ? undefined : known(findSkill(skillId), skillId),
    };
    for (const name of names.split(", ").map(normalise)) {
      const isTaken = findRole(name) !== undefined || (trades.get(name) ?? trade) !== trade;
      if (isTaken) throw new Error(`the trade "${name}" is named twice`);
      trades.set(name, trade).set(`${name}s`, trade);
    }
  }
  return trades;
}

function known<Found>(found: Found | undefined, id: string): Found {
  if (found === undefined)
    throw new Error(`a trade names "${id}", which is neither role nor skill`);
  return found;
}

/** Measures a repository for a proposal of its CODEOWNERS file. */
import { findFiles, refuseDamaged } from "../find-files.ts";
import type { MeasureModules } from "../first-knowers.ts";
import { findUntilDay } from "../history-end.ts";
import { findLeavingDay, measureKnowledge } from "../measure-knowledge.ts";
import { createOwnerSuggestions } from "./suggest-owners.ts";

interface OwnersQuestion {
  readonly repository: string;
  /** UTC days since 1970. */
  readonly asOfDay: number;
  readonly activeSince: number | undefined;
  /** Lower-cased logins of people to treat as having left. */
  readonly without: readonly string[];
}

/**
 * @returns a function that measures a repository. `sinceDay` of the result is the day since which people must have worked to
 * count as active. `otherRules` are the rules of OWNERS files.
 */
export function createOwnersMeasure({ authorship, heads, model }: MeasureModules) {
  return async ({ repository: name, asOfDay, activeSince, without }: OwnersQuestion) => {
    const edition = await authorship.edition();
    const open = (id: number) => heads.open(id, edition);
    const asked = { repository: name, asOfDay };
    const known = await authorship.repositories();
    const found = await findFiles({ authorship, open }, known, asked).catch(refuseDamaged);
    if ("isKnown" in found) return found;
    const [[selection], [repository]] = [found.selections, found.repositories];
    if (!selection || !repository) throw new Error("A repository that was found has files.");
    const { knowledge: constants } = model();
    const untilDay = findUntilDay([repository], asOfDay);
    const knowledge = measureKnowledge(found.selections, { asOfDay: untilDay, constants });
    const stated = await authorship.ownership(repository.id);
    const sinceDay = activeSince ?? findLeavingDay(untilDay, constants);
    const suggest = createOwnerSuggestions({
      ...{ head: selection.head, knowledge, asOfDay: untilDay },
      accountless: stated?.accountless ?? [],
      sinceDay,
      leaving: new Set(without),
    });
    const otherRules = stated?.rules.filter(({ form }) => form === "folder") ?? [];
    return { repository, untilDay, sinceDay, suggest, otherRules };
  };
}

/** Runs the stages `tally` and `identify` without forgotten people. Repeats both until no further person must be forgotten. */
import type { Pool } from "../../../pool/pool.ts";
import { readForgePeople } from "../../forges/forge-people.ts";
import { readAuthors, writeTraits } from "../identify/author-rows.ts";
import type { IdentityContext } from "../identify/community.ts";
import { readParts, writeParts } from "../identify/identified-people.ts";
import { identifyAuthors } from "../identify/identify.ts";
import { createIdentityRules, type IdentityRules, type OperatorFiles } from "../identify/rules.ts";
import { readApplied, setApplied } from "../ledger/applied.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { countWrittenUnder } from "../tally/count-written.ts";
import { countRepositories, type TallyOptions } from "../tally/tally.ts";
import { readCounted, readWork } from "../tally/tally-rows.ts";
import { eraseFromForges, eraseListed, extendErasures, findForgotten } from "./forget-people.ts";

export interface RememberedSources extends TallyOptions {
  readonly ledger: Ledger;
  readonly files: OperatorFiles;
  readonly pool: Pick<Pool, "erasing" | "decisions">;
  /** Called before people are identified, and again after each erasure. */
  readonly beforeIdentity?: () => void;
}

export type IdentifiedSources = Awaited<ReturnType<typeof identifyRemembered>>;

/** @returns the people, the number of erasures that removed a person with commits, and the state of erasures. */
export async function identifyRemembered(sources: RememberedSources) {
  const { ledger, files, pool, asOf, leaving, signal } = sources;
  const { erasing } = pool;
  let erasures = await describeErasures(pool);
  // New erasures may concern anybody, so everybody is checked. Otherwise only people who changed in this run are checked.
  let isEverybody = readApplied(ledger)?.erasures !== erasures;
  let counted = await countRepositories(ledger, sources);
  if (erasures === "") {
    setApplied(ledger, { erasures });
    return { ...(await identify(sources, sources.anew)), suppressed: 0, erasures };
  }
  const suppressed = new Set<string>();
  for (let { anew } = sources; ; anew = false) {
    // Reads the state before the list, so that the next run notices a change in between.
    const listed = await describeErasures(pool);
    isEverybody ||= listed !== erasures;
    erasures = listed;
    const repositories = isEverybody ? readCounted(ledger.sqlite).keys() : counted;
    const erased = await eraseListed(ledger, erasing, repositories, { asOf, leaving, signal });
    if (erased) counted = erased.counted;
    const found = await identify(sources, anew);
    const { people, judged, communitiesOf } = found.identified;
    const matcher = await erasing.suppression();
    const forgotten = findForgotten(communitiesOf(isEverybody ? people.all : judged), matcher);
    const extended = await extendErasures(erasing, [...forgotten]);
    for (const id of [...(erased?.receipts ?? []), ...extended.receipts]) suppressed.add(id);
    const isSomebody = isEverybody || erased !== undefined || extended.receipts.size > 0;
    isEverybody = erased?.isLonger === true || extended.isLonger;
    if (isEverybody || (isSomebody && eraseFromForges(files.forges, matcher) > 0)) continue;
    setApplied(ledger, { erasures });
    return { ...found, suppressed: suppressed.size, erasures };
  }
}

async function identify(
  { ledger, files, pool, beforeIdentity }: RememberedSources,
  isAnew: boolean | undefined,
) {
  const { sqlite } = ledger;
  beforeIdentity?.();
  const rules = createIdentityRules(files, await pool.decisions.list());
  const context = readIdentityContext(ledger, rules);
  const before = readParts(sqlite);
  const identified = identifyAuthors(context, isAnew ? new Map() : before);
  sqlite.transact(() => {
    writeTraits(sqlite, identified.traits);
    writeParts(sqlite, before, identified.kept);
  });
  return { context, identified };
}

/** @param only ids of the author identities to read; default: all. */
export function readIdentityContext(
  { sqlite }: Ledger,
  rules: IdentityRules,
  only?: readonly number[],
): IdentityContext {
  const authors = readAuthors(sqlite, only);
  return {
    ...{ rules, forges: readForgePeople(rules.forges?.content()), authors },
    countTemplates: (spellings) =>
      new Set(readWork(sqlite, spellings).flatMap(({ tally }) => [...tally.templates])).size,
    countWritten: (spellings, writer) => countWrittenUnder(sqlite, spellings, writer),
  };
}

/** Describes the state of erasures as a text. Every new or changed erasure changes the text. */
export async function describeErasures({ erasing }: Pick<Pool, "erasing">): Promise<string> {
  const receipts = await erasing.receipts();
  const states = receipts
    .map(({ id, identifiers, undoneAt }) => `${id} ${identifiers} ${undoneAt === undefined}`)
    .sort();
  return states.length === 0 ? "" : Bun.hash(states.join()).toString(36);
}

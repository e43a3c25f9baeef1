/** Walks through the lists of one source. Each page is stored with the next cursor, so that the next run can continue there. */
import { Fault, isFault } from "../../contract/fault.ts";
import { splitBatches } from "../../contract/split-batches.ts";
import { type IsForgotten, listMissing } from "./accounts.ts";
import type { ForgeClient } from "./adapters/client.ts";
import { askCommitAuthors, type SampleHistories } from "./ask-authors.ts";
import { askReviews } from "./ask-reviews.ts";
import type { ForgeAdapter, ForgePage, ForgeStep } from "./forge.ts";
import { ForgeDenial, ForgeOverload, ForgePause, MissingList } from "./forge.ts";
import type { ForgeLedger } from "./forge-ledger.ts";
import { createListBounds } from "./list-bounds.ts";
import {
  countSource,
  type ForgeSource,
  noteRun,
  type SourceRun,
  setNoreplyHost,
} from "./sources.ts";
import { pruneWalk, putMissing, putPage } from "./walk-pages.ts";
import { endWalk, findStep, noteStep, openWalk, type Walk } from "./walks.ts";

interface WalkRequest {
  readonly source: ForgeSource;
  readonly client: Pick<ForgeClient, "requests" | "remaining">;
  readonly adapter: ForgeAdapter;
  readonly ledger: ForgeLedger;
  /** Loads the suppression list; called before each page is stored. */
  readonly findForgotten: () => Promise<IsForgotten>;
  /** The counted histories of git. Without them, the forge is not asked about commits and reviews. */
  readonly histories?: SampleHistories | undefined;
  readonly now: () => Date;
  /** The most people of the source; default 100,000. */
  readonly maxPeople?: number | undefined;
  readonly onProgress?: ((progress: WalkProgress) => void) | undefined;
  /** Called after the lists are read. @returns warnings. */
  readonly onListed?: ((walk: Walk, tell: Tell) => Promise<readonly string[]>) | undefined;
  /** Called when everything is read. The walk is complete once this returns. */
  readonly publish?: ((tell: Tell) => Promise<void>) | undefined;
}

export type Tell = (what: string) => void;

export interface WalkProgress {
  readonly source: string;
  readonly what: string;
  readonly requests: number;
  readonly people: number;
}

export interface WalkReport extends SourceRun {
  readonly source: string;
  readonly isComplete: boolean;
  /** When a rate limit allows the walk to continue: ISO 8601, UTC. */
  readonly pausedUntil: string | undefined;
  /** Messages about lists that could not be read, and about missing accounts that were kept. */
  readonly warnings: readonly string[];
}

/**
 * Continues the source's unfinished walk, or begins a new one.
 * @throws Fault when the token is refused or the forge cannot be reached. @throws the signal's reason when aborted.
 */
export async function walkSource(request: WalkRequest): Promise<WalkReport> {
  const { source, client, adapter, ledger, histories, now } = request;
  const startedAt = now().toISOString();
  const sums: Sums = { people: 0, hidden: 0, suppressed: 0, isPartial: false, warnings: [] };
  let isComplete = false;
  const report = (fault?: string, until?: number): WalkReport => {
    const { warnings, hidden, suppressed } = sums;
    const run: SourceRun = {
      ...{ startedAt, endedAt: now().toISOString(), requests: client.requests() },
      ...{ remaining: client.remaining(), hidden, suppressed, fault },
    };
    const pausedUntil = until === undefined ? undefined : new Date(until).toISOString();
    noteRun(ledger, source.id, run, pausedUntil);
    return { source: source.id, ...run, isComplete, pausedUntil, warnings };
  };
  const say: Tell = (what) => tell(request, what);
  try {
    const walk = openWalk(ledger, source.id, adapter.steps(source.selections));
    for (let step = findStep(walk); step; step = findStep(walk)) {
      await readStep(request, walk, step, sums);
    }
    await settleMissing(request, walk, sums);
    sums.warnings.push(...((await request.onListed?.(walk, say)) ?? []));
    // Asks before the walk ends, because an interrupted run would otherwise read the lists again.
    if (histories) {
      const questions = { adapter, walk, histories, now, tell: say };
      sums.warnings.push(...(await askCommitAuthors(questions)));
      for (const warning of await askReviews(questions)) warn(sums, warning);
    }
    pruneWalk(walk);
    await publishWalk(request, walk, say);
    isComplete = true;
    return report();
  } catch (error) {
    if (error instanceof ForgePause) return report(undefined, error.until);
    const isFaulty = error instanceof Fault || error instanceof ForgeOverload;
    report(isFaulty ? error.message : undefined);
    if (error instanceof ForgeOverload) {
      throw new Fault("forge", `${error.message} The forge is overloaded; try again later.`);
    }
    throw error;
  }
}

/** Publishes the walk and ends it. After an interruption, the next run publishes the walk again. */
async function publishWalk({ publish, now }: WalkRequest, walk: Walk, say: Tell): Promise<void> {
  try {
    await publish?.(say);
  } catch (error) {
    const wasStopped = isFault(error, "time_limit") || isFault(error, "interrupted");
    if (isFault(error) && !wasStopped) endWalk(walk, now().toISOString());
    throw error;
  }
  endWalk(walk, now().toISOString());
}

function tell(request: WalkRequest, what: string, people?: number): void {
  const { source, client, ledger } = request;
  request.onProgress?.({
    ...{ source: source.id, what, requests: client.requests() },
    people: people ?? countSource(ledger, source.id).people,
  });
}

interface Sums {
  people: number;
  hidden: number;
  suppressed: number;
  /** Whether a list could not be read. */
  isPartial: boolean;
  readonly warnings: string[];
}

async function readStep(request: WalkRequest, walk: Walk, step: ForgeStep, sums: Sums) {
  const { adapter, source, ledger, maxPeople, findForgotten } = request;
  const findEnd = createListBounds(maxPeople, () => countSource(ledger, source.id));
  const leave = (why: string): void => {
    warn(sums, why);
    sums.isPartial = true;
    noteStep(walk, step);
  };
  for (let at: ForgeStep | undefined = step; at; ) {
    tell(request, step.name, sums.people);
    let page: ForgePage;
    try {
      page = await adapter.readPage(at);
    } catch (error) {
      if (error instanceof ForgeDenial) return leave(error.message);
      if (error instanceof MissingList) {
        return leave(`The forge of source ${source.id} does not have ${step.name}.`);
      }
      throw error;
    }
    // Stores the host first, because a later run may not see a noreply address again.
    const host = adapter.noreplyHost();
    if (host !== undefined) setNoreplyHost(ledger, source.id, host);
    sums.suppressed += putPage(walk, step, page, await findForgotten());
    sums.hidden += page.hidden;
    sums.people += page.accounts.length;
    for (const warning of page.warnings ?? []) warn(sums, warning);
    const end = findEnd(page);
    if (end !== undefined) {
      return leave(`The rest of ${step.name}, of source ${source.id}, is not read: ${end}.`);
    }
    at = page.next === undefined ? undefined : { ...step, cursor: page.next };
  }
}

const warningsMax = 100;

/** Adds a warning. Only the first hundred warnings are kept. */
function warn({ warnings }: Sums, text: string): void {
  if (warnings.length < warningsMax) warnings.push(text);
  else if (warnings.length === warningsMax) warnings.push("Further warnings are left out.");
}

/** If more than this share of the accounts is missing, no account is removed. */
const missingShareMax = 0.2;
/** Up to this many missing accounts are always accepted. */
const missingCountMax = 5;

/** Asks the forge for each missing account, because a walk may skip people while a list changes. */
async function settleMissing(request: WalkRequest, walk: Walk, { isPartial, warnings }: Sums) {
  const { adapter, ledger, source, findForgotten } = request;
  if (isPartial) return;
  const missing = listMissing(walk);
  const known = countSource(ledger, source.id).people;
  if (missing.length > missingCountMax && missing.length > known * missingShareMax) {
    const message = `${missing.length} of ${known} people are no longer in the lists of source ${source.id}, which is more than a fifth: nobody is removed.`;
    warnings.push(message);
    return;
  }
  for (const numbers of splitBatches(missing, adapter.batch.accounts)) {
    const found = await adapter.readAccounts(numbers);
    const answers = new Map(numbers.map((number, at) => [number, found[at]]));
    putMissing(walk, answers, await findForgotten());
  }
}

import { and, asc, count, eq, lt } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import { openAccountRows } from "./account-rows.ts";
import type { ForgeRepository, ForgeStep } from "./forge.ts";
import type { KnownAccount, Walk } from "./forge-ledger.ts";
import { createReviewStorer, dropReviews } from "./review-rows.ts";
import { forgeAccounts as accounts, repositories, sources, steps } from "./tables.ts";

/** How many complete walks must miss an account before it leaves: deleting one shifts the pages after it. */
const missesMax = 2;

/** @package Goes on with the source's walk while it has open steps; begins one with these otherwise. */
export function createWalk(store: Database, source: string, first: readonly ForgeStep[]): Walk {
  const begun = begin(store, source, first);
  const rows = openAccountRows(store, { source, ...begun });
  return {
    nextStep: () => findOpen(store, source),
    ...createStorer(store, { source, rows, ...begun }),
    ...createSettler(store, { source, rows, ...begun }),
    ...createReviewStorer(store, { source, ...begun }),
    count: () => {
      const countIn = (table: typeof accounts | typeof repositories): number =>
        store.orm.select({ rows: count() }).from(table).where(eq(table.source, source)).get()
          ?.rows ?? 0;
      return { people: countIn(accounts), repositories: countIn(repositories) };
    },
    repositories: () =>
      store.orm
        .select()
        .from(repositories)
        .where(and(eq(repositories.source, source), eq(repositories.seen, begun.walk)))
        .orderBy(asc(repositories.number))
        .all()
        .map(({ facts }) => facts),
  };
}

const unknownAccount = { isBot: false, profile: {}, addresses: [], formerLogins: [] };

/** @package The account that a repository names as its owner: its name begins with the owner's. */
export function toOwner(
  { name, owner = "" }: Pick<ForgeRepository, "name" | "owner">,
  of: Pick<KnownAccount, "source" | "forge">,
): KnownAccount {
  const [login = ""] = name.split("/");
  return { ...unknownAccount, ...of, number: owner, login };
}

interface WalkParts {
  readonly source: string;
  readonly forge: string;
  /** Number of the walk. */
  readonly walk: number;
  readonly isEverybody: boolean;
  readonly rows: ReturnType<typeof openAccountRows>;
}

function createStorer(
  { orm, sqlite }: Database,
  { source, forge, walk, rows }: WalkParts,
): Pick<Walk, "save" | "skip"> {
  const endStep = ({ ask }: ForgeStep, next?: string) =>
    orm
      .update(steps)
      .set(next === undefined ? { isDone: true } : { cursor: next })
      .where(and(eq(steps.source, source), eq(steps.ask, ask)))
      .run();
  const putRepository = (facts: ForgeRepository): void => {
    const key = and(eq(repositories.source, source), eq(repositories.number, facts.number));
    const before = orm.select().from(repositories).where(key).get()?.facts;
    // Clones made before it was renamed know it under its former name.
    const urls = [...new Set([...facts.urls, ...(before?.urls ?? [])])].slice(0, urlsMax);
    const set = { facts: { ...facts, urls }, seen: walk };
    orm
      .insert(repositories)
      .values({ source, number: facts.number, ...set })
      .onConflictDoUpdate({ target: [repositories.source, repositories.number], set })
      .run();
  };
  const save: Walk["save"] = (step, page, isForgotten) => {
    const left = new Set(
      page.accounts.flatMap((account) => (rows.put(account, isForgotten) ? [] : [account.number])),
    );
    // Nothing is kept of hidden or forgotten accounts.
    for (const [number, list] of page.addresses ?? []) {
      if (rows.find(number)) rows.putAddresses(number, list);
    }
    for (const facts of page.repositories) {
      const isLeft = left.has(facts.owner ?? "") || isForgotten(toOwner(facts, { source, forge }));
      if (!isLeft) putRepository(facts);
    }
    addSteps({ orm }, source, page.steps ?? []);
    endStep(step, page.next);
    return left.size;
  };
  return {
    save: (...page) => sqlite.transaction(() => save(...page)).immediate(),
    skip(step) {
      endStep(step);
    },
  };
}

const urlsMax = 20;

function createSettler(
  { orm, sqlite }: Database,
  { source, walk, isEverybody, rows }: WalkParts,
): Pick<Walk, "missing" | "settle" | "trim" | "complete"> {
  const settle: Walk["settle"] = (answers, isForgotten) => {
    for (const [number, account] of answers) {
      const missed = (rows.find(number)?.missed ?? 0) + 1;
      const isKept = account !== undefined && rows.put(account, isForgotten);
      if (isKept && isEverybody) continue;
      if (missed >= missesMax) rows.remove(number);
      else rows.note(number, missed);
    }
  };
  const trim = (): void => {
    const isOld = and(eq(repositories.source, source), lt(repositories.seen, walk));
    orm.delete(repositories).where(isOld).run();
    dropReviews({ orm }, source);
    rows.dropOldAddresses();
  };
  const complete = (at: string): void => {
    orm.delete(steps).where(eq(steps.source, source)).run();
    const set = { completedAt: at, pausedUntil: null };
    orm.update(sources).set(set).where(eq(sources.id, source)).run();
  };
  return {
    missing: () =>
      orm
        .select({ number: accounts.number })
        .from(accounts)
        .where(and(eq(accounts.source, source), lt(accounts.seen, walk)))
        .orderBy(asc(accounts.number))
        .all()
        .map(({ number }) => number),
    settle: (...answers) => sqlite.transaction(() => settle(...answers)).immediate(),
    trim: () => sqlite.transaction(trim).immediate(),
    complete: (at) => sqlite.transaction(() => complete(at)).immediate(),
  };
}

function begin(store: Database, source: string, first: readonly ForgeStep[]) {
  const { orm, sqlite } = store;
  const change = () => {
    const known = orm.select().from(sources).where(eq(sources.id, source)).get();
    if (!known) throw new Error(`No source is called ${source}.`);
    const { forge, selections } = known;
    const isEverybody = selections.some(({ kind }) => kind === "all");
    if (orm.select().from(steps).where(eq(steps.source, source)).get()) {
      return { walk: known.walk, forge, isEverybody };
    }
    const walk = known.walk + 1;
    orm.update(sources).set({ walk }).where(eq(sources.id, source)).run();
    addSteps(store, source, first);
    return { walk, forge, isEverybody };
  };
  return sqlite.transaction(change).immediate();
}

function addSteps(
  { orm }: Pick<Database, "orm">,
  source: string,
  found: readonly ForgeStep[],
): void {
  for (const { name, ask, cursor = null } of found) {
    orm
      .insert(steps)
      .values({ source, name, ask, cursor, isDone: false })
      // A person may be in two lists.
      .onConflictDoNothing()
      .run();
  }
}

function findOpen({ orm }: Database, source: string): ForgeStep | undefined {
  const open = orm
    .select()
    .from(steps)
    .where(and(eq(steps.source, source), eq(steps.isDone, false)))
    .orderBy(asc(steps.id))
    .limit(1)
    .get();
  return open && { name: open.name, ask: open.ask, cursor: open.cursor ?? undefined };
}

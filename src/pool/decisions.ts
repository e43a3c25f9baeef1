/**
 * What the operator has decided about who is who. It lies in the pool's file, not in what is kept of
 * repositories: that file may be thrown away, and an erasure must take a person's decisions along in the
 * very transaction that deletes the person.
 */
import { asc, eq } from "drizzle-orm";
import type { Facts } from "../contract/people/facts.ts";
import { normaliseAddress } from "../identity/address.ts";
import { foldName, parseSelector, type Selector } from "../identity/selector.ts";
import type { Database } from "../sqlite/database.ts";
import {
  hashAddress,
  hashNameAndAddress,
  type Identifier,
  listIdentifiers,
} from "./erasure/identifiers.ts";
import type { SaltSource } from "./erasure/suppression.ts";
import { decisions } from "./tables.ts";

export interface IdentityDecisionRecord {
  /** `dec_...`; names nobody, so that the audit log may have it. */
  readonly id: string;
  /** Whether the two are one person, or never are. */
  readonly kind: "same" | "different";
  /** Marks of spellings, as `readMark` takes them. */
  readonly a: string;
  readonly b: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly reason?: string;
  /** What spoke for it when it was made, in words. */
  readonly evidence: readonly string[];
}

export interface Decisions {
  /** Oldest first. */
  list(): readonly IdentityDecisionRecord[];
  /**
   * Those that name a spelling of this person.
   *
   * @param names by which they are known besides: an address that several people use is theirs only under one.
   */
  about(facts: Facts, names?: readonly string[]): readonly IdentityDecisionRecord[];
  add(decision: Omit<IdentityDecisionRecord, "id" | "at">): IdentityDecisionRecord;
  /** @returns undefined when there is none. */
  remove(id: string): IdentityDecisionRecord | undefined;
}

export function createDecisions(
  { orm }: Database,
  { now, random }: { readonly now: () => Date; readonly random: SaltSource },
): Decisions {
  const list = () =>
    orm.select().from(decisions).orderBy(asc(decisions.sequence)).all().map(asDecision);
  return {
    list,
    about(facts, names = []) {
      const called = new Set([...names, facts.profile.name ?? ""].filter(Boolean).map(foldName));
      const own = new Set(listIdentifiers(facts));
      const addresses = new Set(facts.emails.map(({ address }) => normaliseAddress(address)));
      return list().filter(({ a, b }) =>
        [parseSelector(a), parseSelector(b)].some(
          (mark) =>
            identifiersOfMark(mark).some((one) => own.has(one)) ||
            (mark?.name !== undefined &&
              called.has(foldName(mark.name)) &&
              addresses.has(mark.address ?? "")),
        ),
      );
    },
    add(decision) {
      const id = `dec_${Buffer.from(random(6)).toString("hex")}`;
      const row = { ...decision, id, at: now().toISOString(), reason: decision.reason ?? null };
      return asDecision(orm.insert(decisions).values(row).returning().get());
    },
    remove(id) {
      const [row] = orm.delete(decisions).where(eq(decisions.id, id)).returning().all();
      return row && asDecision(row);
    },
  };
}

/**
 * Deletes the decisions about people, and what others' decisions say of them. Call it inside a transaction.
 *
 * @package
 */
export function eraseDecisions(
  { orm }: Database,
  people: {
    readonly has: (identifier: Identifier) => boolean;
    /** Whether a text names one of them. */
    readonly isNamedIn: (text: string) => boolean;
  },
): void {
  for (const { id, a, b, reason, evidence } of orm.select().from(decisions).all()) {
    const identifiers = [a, b].flatMap((text) => identifiersOfMark(parseSelector(text)));
    const row = eq(decisions.id, id);
    if (identifiers.some(people.has) || people.isNamedIn(`${a}\n${b}`)) {
      orm.delete(decisions).where(row).run();
    } else if (people.isNamedIn([reason ?? "", ...evidence].join("\n"))) {
      orm.update(decisions).set({ reason: null, evidence: [] }).where(row).run();
    }
  }
}

function identifiersOfMark(mark: Selector | undefined): readonly Identifier[] {
  if (mark?.address !== undefined) {
    const { name, address: email } = mark;
    return name === undefined ? hashAddress(email) : hashNameAndAddress({ name, email });
  }
  if (!mark?.account) return [];
  const { forge, login } = mark.account;
  return [`login:${login}`, ...(forge ? [`account:${forge}/${login}` as const] : [])];
}

function asDecision({
  sequence: _,
  reason,
  ...row
}: typeof decisions.$inferSelect): IdentityDecisionRecord {
  return { ...row, ...(reason === null ? {} : { reason }) };
}

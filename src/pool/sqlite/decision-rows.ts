/** The operator's decisions about who is who. */
import { asc, eq } from "drizzle-orm";
import { normaliseAddress } from "../../identity/address.ts";
import { foldName, parseSelector, type Selector } from "../../identity/selector.ts";
import type { Database } from "../../sqlite/database.ts";
import { toPromises } from "../../sqlite/to-promises.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listAuthorIdentifiers,
  listIdentifiers,
} from "../identifiers.ts";
import type { Decisions, IdentityDecisionRecord } from "../pool.ts";
import type { SaltSource } from "./erasure/suppression.ts";
import { decisions } from "./tables.ts";

export function createDecisions(
  { orm, path }: Database,
  { now, random }: { readonly now: () => Date; readonly random: SaltSource },
): Decisions {
  const list = () =>
    orm.select().from(decisions).orderBy(asc(decisions.sequence)).all().map(asDecision);
  return toPromises<Decisions>(path, {
    list,
    about(facts, names = [], others = []) {
      const known = new Set([...names, facts.profile.name ?? ""].filter(Boolean).map(foldName));
      const own = new Set(listIdentifiers(facts));
      const stated = [...facts.emails.map(({ address }) => address), ...others];
      const addresses = new Set(stated.map(normaliseAddress));
      return list().filter(({ a, b }) =>
        [parseSelector(a), parseSelector(b)].some(
          (selector) =>
            identifiersOf(selector).some((one) => own.has(one)) ||
            (selector?.name !== undefined &&
              known.has(foldName(selector.name)) &&
              addresses.has(selector.address ?? "")),
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
  });
}

/**
 * Deletes the decisions about people, and what other decisions say about them. Call it inside a transaction.
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
    const identifiers = [a, b].flatMap((text) => identifiersOf(parseSelector(text)));
    const row = eq(decisions.id, id);
    if (identifiers.some(people.has) || people.isNamedIn(`${a}\n${b}`)) {
      orm.delete(decisions).where(row).run();
    } else if (people.isNamedIn([reason ?? "", ...evidence].join("\n"))) {
      orm.update(decisions).set({ reason: null, evidence: [] }).where(row).run();
    }
  }
}

function identifiersOf(selector: Selector | undefined): readonly Identifier[] {
  if (selector?.address !== undefined) {
    const { name, address: email } = selector;
    return name === undefined
      ? listAddressIdentifiers(email)
      : listAuthorIdentifiers({ name, email });
  }
  if (!selector?.account) return [];
  const { forge, login } = selector.account;
  return [`login:${login}`, ...(forge ? [`account:${forge}/${login}` as const] : [])];
}

function asDecision({
  sequence: _,
  reason,
  ...row
}: typeof decisions.$inferSelect): IdentityDecisionRecord {
  return { ...row, ...(reason === null ? {} : { reason }) };
}

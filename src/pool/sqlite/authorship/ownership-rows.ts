/** What ownership files state, a row for each repository; erased people are taken out of it, and never come back. */
import { and, eq, inArray } from "drizzle-orm";
import type { KnownOwner, KnownRule } from "../../../contract/people/ownership-rule.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { AuthorshipStore, KnownOwnership } from "../../authorship.ts";
import type { Identifier } from "../../identifiers.ts";
import { listOwnerIdentifiers, selectOwners } from "../../rows/owners.ts";
import { packOwnership, unpackOwnership } from "../../rows/pack-authorship.ts";
import type { Suppression } from "../erasure/suppression.ts";
import { developers, knownRepositories, repositoryOwnership } from "../tables.ts";
import { isVisible } from "../visible.ts";

/** @package */
export function createOwnershipRows(
  store: Database,
  suppression: Pick<Suppression, "find">,
): Pick<Immediate<AuthorshipStore>, "ownership" | "stateOwnership"> {
  const { orm, sqlite } = store;
  const read = (id: number): Buffer | undefined =>
    orm
      .select({ content: repositoryOwnership.content })
      .from(repositoryOwnership)
      .where(eq(repositoryOwnership.repositoryId, id))
      .get()?.content;
  return {
    ownership(id) {
      const content = read(id);
      return content && unpackOwnership(content);
    },
    stateOwnership(key, stated) {
      const row = orm
        .select({ id: knownRepositories.id, forge: knownRepositories.forge })
        .from(knownRepositories)
        .where(and(eq(knownRepositories.key, key), eq(knownRepositories.isShown, true)))
        .get();
      if (!row) return;
      const { id, forge } = row;
      sqlite
        .transaction(() => {
          const content = packOwnership(onlyShown(store, suppression, { ...stated, forge }));
          if (stated.rules.length > 0 ? read(id)?.equals(content) : !read(id)) return;
          writeOwnership(store, id, stated.rules.length > 0 ? content : undefined);
        })
        .immediate();
    },
  };
}

function writeOwnership({ orm }: Database, repositoryId: number, content?: Buffer): void {
  orm.delete(repositoryOwnership).where(eq(repositoryOwnership.repositoryId, repositoryId)).run();
  if (content) orm.insert(repositoryOwnership).values({ repositoryId, content }).run();
}

/** Checked inside the transaction, beside which nobody can be erased. */
function onlyShown(
  store: Database,
  suppression: Pick<Suppression, "find">,
  { rules, accountless, forge }: KnownOwnership & { readonly forge: string | null },
): KnownOwnership {
  const people = rules.flatMap(({ owners }) => owners.flatMap(({ person }) => person ?? []));
  const visible = findVisible(store, [...new Set(people)]);
  const identifiersOf = (owner: KnownOwner, rule: KnownRule) =>
    listOwnerIdentifiers(owner, rule, forge);
  const all = rules.flatMap((rule) => rule.owners.flatMap((owner) => identifiersOf(owner, rule)));
  const suppressed = suppression.find(new Set(all));
  const isShown = (owner: KnownOwner, rule: KnownRule): boolean =>
    (owner.person === undefined || visible.has(owner.person)) &&
    !identifiersOf(owner, rule).some((identifier) => suppressed.has(identifier));
  return { rules: selectOwners(rules, isShown), accountless };
}

const loginsPerQuery = 500;

function findVisible(store: Database, loginKeys: readonly string[]): ReadonlySet<string> {
  const visible = new Set<string>();
  for (let at = 0; at < loginKeys.length; at += loginsPerQuery) {
    const some = loginKeys.slice(at, at + loginsPerQuery);
    const rows = store.orm
      .select({ loginKey: developers.loginKey })
      .from(developers)
      .where(and(inArray(developers.loginKey, some), isVisible(store)))
      .all();
    for (const { loginKey } of rows) visible.add(loginKey);
  }
  return visible;
}

/** Makes a person the owner of nothing. Call it inside a transaction. @package */
export function eraseOwnership(store: Database, identifiers: ReadonlySet<Identifier>): void {
  const { content, repositoryId } = repositoryOwnership;
  const rows = store.orm
    .select({ id: repositoryId, content, forge: knownRepositories.forge })
    .from(repositoryOwnership)
    .leftJoin(knownRepositories, eq(knownRepositories.id, repositoryId))
    .all();
  for (const { id, content, forge } of rows) {
    const { rules, accountless } = unpackOwnership(content);
    const kept = selectOwners(
      rules,
      (owner, rule) =>
        !listOwnerIdentifiers(owner, rule, forge).some((one) => identifiers.has(one)),
    );
    if (kept.every((rule, at) => rule === rules[at])) continue;
    writeOwnership(store, id, packOwnership({ rules: kept, accountless }));
  }
}

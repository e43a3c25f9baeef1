/** What ownership files state, a row for each repository; erased people are taken out of it, and never come back. */
import { and, eq, inArray } from "drizzle-orm";
import type { KnownOwner, KnownRule } from "../../../contract/people/ownership-rule.ts";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import type { AuthorshipStore, KnownOwnership } from "../../authorship.ts";
import type { Identifier } from "../../identifiers.ts";
import { listOwnerIdentifiers, selectOwners } from "../../rows/owners.ts";
import { packOwnership, unpackOwnership } from "../../rows/pack-authorship.ts";
import { applyChange } from "../changing.ts";
import type { Suppression } from "../erasure/suppression.ts";
import { developers, knownRepositories, repositoryOwnership } from "../tables.ts";
import { isVisible } from "../visible.ts";

/** @package */
export function createOwnershipRows(
  database: PostgresDatabase,
  suppression: Pick<Suppression, "find">,
): Pick<AuthorshipStore, "ownership" | "stateOwnership"> {
  return {
    async ownership(id) {
      const content = await readContent(database.orm, id);
      return content && unpackOwnership(content);
    },
    stateOwnership: (key, stated) =>
      applyChange(database, async (orm) => {
        const [row] = await orm
          .select({ id: knownRepositories.id, forge: knownRepositories.forge })
          .from(knownRepositories)
          .where(and(eq(knownRepositories.key, key), eq(knownRepositories.isShown, true)));
        if (!row) return;
        const { id, forge } = row;
        const before = await readContent(orm, id);
        const content = packOwnership(await selectShown(orm, suppression, { ...stated, forge }));
        const isStated = stated.rules.length > 0;
        if (isStated ? before && content.equals(before) : !before) return;
        await writeOwnership(orm, id, isStated ? content : undefined);
      }),
  };
}

async function readContent(orm: Statements, id: number): Promise<Uint8Array | undefined> {
  const [row] = await orm
    .select({ content: repositoryOwnership.content })
    .from(repositoryOwnership)
    .where(eq(repositoryOwnership.repositoryId, id));
  return row?.content;
}

async function writeOwnership(
  orm: Statements,
  repositoryId: number,
  content?: Buffer,
): Promise<void> {
  await orm.delete(repositoryOwnership).where(eq(repositoryOwnership.repositoryId, repositoryId));
  if (content) await orm.insert(repositoryOwnership).values({ repositoryId, content });
}

/** Checked inside the change, beside which nobody can be erased. */
async function selectShown(
  orm: Statements,
  suppression: Pick<Suppression, "find">,
  { rules, accountless, forge }: KnownOwnership & { readonly forge: string | null },
): Promise<KnownOwnership> {
  const people = rules.flatMap(({ owners }) => owners.flatMap(({ person }) => person ?? []));
  const visible = await findVisible(orm, [...new Set(people)]);
  const identifiersOf = (owner: KnownOwner, rule: KnownRule) =>
    listOwnerIdentifiers(owner, rule, forge);
  const all = rules.flatMap((rule) => rule.owners.flatMap((owner) => identifiersOf(owner, rule)));
  const suppressed = await suppression.find(orm, new Set(all));
  const isShown = (owner: KnownOwner, rule: KnownRule): boolean =>
    (owner.person === undefined || visible.has(owner.person)) &&
    !identifiersOf(owner, rule).some((identifier) => suppressed.has(identifier));
  return { rules: selectOwners(rules, isShown), accountless };
}

const loginsPerQuery = 1000;

/** @package @returns those of these logins, in lower case, that the pool shows. */
export async function findVisible(
  orm: Statements,
  loginKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const visible = new Set<string>();
  for (let at = 0; at < loginKeys.length; at += loginsPerQuery) {
    const some = loginKeys.slice(at, at + loginsPerQuery);
    const rows = await orm
      .select({ loginKey: developers.loginKey })
      .from(developers)
      .where(and(inArray(developers.loginKey, some), isVisible(orm)));
    for (const { loginKey } of rows) visible.add(loginKey);
  }
  return visible;
}

/** Makes a person the owner of nothing. Call it inside a change. */
export async function eraseOwnership(
  orm: Statements,
  identifiers: ReadonlySet<Identifier>,
): Promise<void> {
  const { content, repositoryId } = repositoryOwnership;
  const rows = await orm
    .select({ id: repositoryId, content, forge: knownRepositories.forge })
    .from(repositoryOwnership)
    .leftJoin(knownRepositories, eq(knownRepositories.id, repositoryId));
  for (const { id, content, forge } of rows) {
    const { rules, accountless } = unpackOwnership(content);
    const kept = selectOwners(
      rules,
      (owner, rule) =>
        !listOwnerIdentifiers(owner, rule, forge).some((one) => identifiers.has(one)),
    );
    if (kept.every((rule, at) => rule === rules[at])) continue;
    await writeOwnership(orm, id, packOwnership({ rules: kept, accountless }));
  }
}

/** Stage 8, authorship: stores who changed which file of each repository, after the people are published. */
import type { Pool, RepositoryAuthorship } from "../../pool/pool.ts";
import type { ForgePeople } from "../forges/forge-people.ts";
import { buildAuthorship, type CloneAuthors } from "./authorship/build-authorship.ts";
import { createReviewLookup } from "./authorship/list-reviews.ts";
import { formatSignedName, type SignedName } from "./commit/logged-commit.ts";
import type { RepositoryAuthors } from "./ledger/counted-repositories.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import { groupClones } from "./ledger/recognise.ts";
import { resolveOwners } from "./ownership/resolve-owners.ts";

interface PublishingContext {
  readonly ledger: Ledger;
  /** Who tells of reviews. */
  readonly forges: ForgePeople;
  readonly pool: Pick<Pool, "authorship">;
  /** Ids of the repositories whose history, authors or stated owners may be others now. */
  readonly repositories: ReadonlySet<number>;
  /** What the pool has, as `AuthorshipStore.fingerprints` gives it. */
  readonly stored: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * The stored authorship of a repository depends on its history and reviews alone, and is kept until these change. The people behind
 * its authors and owners are written whenever they may have changed.
 */
export async function publishAuthorship(context: PublishingContext): Promise<void> {
  const { ledger, forges, pool, repositories, stored, signal, onProgress } = context;
  const findReviews = createReviewLookup(ledger, forges);
  const keys = new Set<string>();
  let done = 0;
  for (const { id, clones, key } of listAuthored(ledger)) {
    keys.add(key);
    const [origin] = clones;
    if (!origin || !repositories.has(id)) continue;
    signal?.throwIfAborted();
    const authors = ledger.repositories.authorsOf(id);
    const reviews = findReviews(clones);
    const fingerprintOf = (digest: string) => fingerprintClones(clones, digest, reviews.digest);
    const fingerprint = fingerprintOf(authors.digest);
    const isStored = (digest: string | undefined) =>
      digest !== undefined && stored.get(key) === fingerprintOf(digest);
    if (isStored(authors.erasedFrom)) {
      // The number of an author who was erased stays free.
      await pool.authorship.renew(key, fingerprint);
    } else if (!isStored(authors.digest)) {
      const { name, forge } = origin;
      const repository: RepositoryAuthorship = {
        ...{ key, name, forge, fingerprint },
        ...buildAuthorship(
          readClones(ledger, clones),
          ledger.notes.statements(clones.map((clone) => clone.id)),
          reviews.days,
        ),
      };
      await pool.authorship.replace(repository);
    }
    const { logins, accountless } = listPeople(authors);
    for (const [number, login] of reviews.logins) logins[number] = login;
    await pool.authorship.nameAuthors(key, logins);
    const stated = ledger.repositories.find(id)?.ownership[0]?.rules ?? [];
    const rules = resolveOwners(stated, origin.forge, ledger.people);
    const hasLogins = rules.some(({ owners }) => owners.some((owner) => "login" in owner));
    await pool.authorship.stateOwnership(key, { rules, accountless: hasLogins ? accountless : [] });
    done += 1;
    onProgress?.(done, repositories.size);
    await Bun.sleep(0);
  }
  await pool.authorship.keepOnly(keys);
}

/** Lists the repositories whose authorship the pool lacks, or has in another form. */
export function listUnpublished(
  ledger: Pick<Ledger, "places">,
  stored: ReadonlyMap<string, string>,
): readonly number[] {
  return listAuthored(ledger)
    .filter(({ key }) => !stored.get(key)?.startsWith(`${form}.`))
    .map(({ id }) => id);
}

function listAuthored(ledger: Pick<Ledger, "places">) {
  return groupClones(ledger.places().filter(({ isLeaving }) => !isLeaving)).flatMap((clones) => {
    const [origin] = clones;
    if (!origin) return [];
    return [{ id: Math.min(...clones.map(({ id }) => id)), clones, key: formatKey(origin) }];
  });
}

/** Two folders may have one name; their histories begin with other commits. */
function formatKey({ forge, name, roots }: KnownClone): string {
  return [forge, name, roots[0]].filter((part) => part !== undefined).join("\n");
}

/** Increased when the same history is stored in another form. */
const form = 6;

function fingerprintClones(
  clones: readonly KnownClone[],
  authors: string,
  reviews: string | undefined,
): string {
  const read = clones.map(({ id, head, notes, edition, commits }) => [
    ...[id, head, edition, commits],
    ...(notes ? [notes] : []),
  ]);
  const hash = Bun.hash(JSON.stringify([read, authors, ...(reviews ? [reviews] : [])]));
  return `${form}.${hash.toString(36)}`;
}

/** By number; of humans in the pool, and of those without an account. */
function listPeople({ people }: RepositoryAuthors) {
  const logins: (string | undefined)[] = [];
  const accountless: number[] = [];
  for (const { number, login, class: kind, hasAccount } of people) {
    if (kind === "human" && login !== null) logins[number] = login;
    if (!hasAccount) accountless.push(number);
  }
  return { logins, accountless };
}

function readClones(
  ledger: PublishingContext["ledger"],
  clones: readonly KnownClone[],
): readonly CloneAuthors[] {
  const mentions = ledger.mentions(clones.map(({ id }) => id));
  const numbers = new Map(mentions.map((one) => [formatSignedName(one), one.number]));
  const find = (one: SignedName) => numbers.get(formatSignedName(one));
  return clones.map(({ id }) => {
    const history = ledger.history(id);
    const { signatures, coAuthors } = history.metadata;
    return {
      history,
      authors: signatures.map((one) => (one.isErased ? undefined : find(one))),
      trailers: coAuthors.map((one) => (one ? find(one) : undefined)),
    };
  });
}

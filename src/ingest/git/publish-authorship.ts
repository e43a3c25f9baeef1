/** Stage 8, authorship: stores who changed which file of each repository, after the people are published. */
import type { RepositoryOwnership } from "../../contract/people/ownership-rule.ts";
import type { Pool, RepositoryAuthorship } from "../../pool/pool.ts";
import { buildAuthorship, type CloneAuthors } from "./authorship/build-authorship.ts";
import type { SignedName } from "./commits/logged-commit.ts";
import type { Community } from "./identify-people.ts";
import type { AuthorIdentity } from "./identity/author-identity.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import { groupClones } from "./ledger/recognise.ts";
import { createOwnershipResolver } from "./ownership/resolve-owners.ts";

interface PublishingContext {
  readonly ledger: Pick<Ledger, "places" | "history" | "metadata">;
  readonly pool: Pick<Pool, "authorship">;
  readonly community: Pick<Community, "everybody" | "identities">;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The stored authorship of a repository depends on its history alone, and is kept until the history changes. The people behind
 * its authors and owners are written in each run.
 */
export async function publishAuthorship(context: PublishingContext): Promise<void> {
  const { ledger, pool, community, signal } = context;
  const stored = await pool.authorship.fingerprints();
  const logins = new Map(
    community.everybody.flatMap(({ person, login }) =>
      person.classified.class === "human"
        ? person.identities.map((identity) => [identity, login] as const)
        : [],
    ),
  );
  const resolve = createOwnershipResolver(community);
  const keys = new Set<string>();
  for (const clones of groupClones(ledger.places())) {
    const [origin] = clones;
    if (!origin) continue;
    signal?.throwIfAborted();
    const key = formatKey(origin);
    keys.add(key);
    const authors = numberAuthors(context, clones);
    const fingerprint = fingerprintClones(clones, authors.spellings);
    if (stored.get(key) !== fingerprint) {
      const { name, forge } = origin;
      const repository: RepositoryAuthorship = {
        ...{ key, name, forge, fingerprint },
        ...buildAuthorship(authors.clones()),
      };
      await pool.authorship.replace(repository);
    }
    await pool.authorship.nameAuthors(
      key,
      authors.identities.map((identity) => logins.get(identity)),
    );
    const { ownership, identities } = authors;
    await pool.authorship.stateOwnership(
      key,
      resolve({ ownership, forge: origin.forge, authors: identities }),
    );
    await Bun.sleep(0);
  }
  await pool.authorship.keepOnly(keys);
}

/** Whether every repository of the ledger is stored, and whole. */
export async function isAuthorshipStored({
  ledger,
  pool,
}: Pick<PublishingContext, "ledger" | "pool">): Promise<boolean> {
  const stored = await pool.authorship.fingerprints();
  return groupClones(ledger.places()).every(([origin]) => !origin || stored.has(formatKey(origin)));
}

/** Two folders may have one name; their histories begin with other commits. */
function formatKey({ forge, name, roots }: KnownClone): string {
  return [forge, name, roots[0]].filter((part) => part !== undefined).join("\n");
}

/** Increased when the same history is stored in another form. */
const form = 1;

function fingerprintClones(clones: readonly KnownClone[], spellings: readonly string[]): string {
  const read = clones.map(({ id, head, edition, commits }) => [id, head, edition, commits]);
  return Bun.hash(JSON.stringify([form, read, spellings])).toString(36);
}

interface NumberedAuthors {
  /** Sorted; the number of an author is that of the spelling. */
  readonly spellings: readonly string[];
  readonly identities: readonly AuthorIdentity[];
  /** Of the fullest clone. */
  readonly ownership: RepositoryOwnership | undefined;
  clones(): readonly CloneAuthors[];
}

/**
 * Gives each spelling a number. Another repository may change which spellings are one person, while the stored authorship of
 * this repository stays.
 */
function numberAuthors(
  { ledger, community }: PublishingContext,
  clones: readonly KnownClone[],
): NumberedAuthors {
  const identities = new Map<string, AuthorIdentity>();
  const spell = (one: SignedName, repository: string): string => {
    const spelling = `${one.name} <${one.email}> ${one.rawEmail}`;
    if (!identities.has(spelling)) {
      identities.set(spelling, community.identities.find(one, repository));
    }
    return spelling;
  };
  const spelled = clones.map(({ id, name }) => {
    const { signatures, coAuthors, ownership } = ledger.metadata(id);
    return {
      ...{ id, ownership },
      authors: signatures.map((one) => (one.isErased ? undefined : spell(one, name))),
      trailers: coAuthors.map((one) => (one ? spell(one, name) : undefined)),
    };
  });
  const spellings = [...identities.keys()].sort();
  const numbers = new Map(spellings.map((spelling, number) => [spelling, number]));
  const numberOf = (spelling: string | undefined) => numbers.get(spelling ?? "");
  return {
    spellings,
    identities: spellings.flatMap((spelling) => identities.get(spelling) ?? []),
    ownership: spelled[0]?.ownership,
    clones: () =>
      spelled.map(({ id, authors, trailers }) => ({
        history: ledger.history(id),
        authors: authors.map(numberOf),
        trailers: trailers.map(numberOf),
      })),
  };
}

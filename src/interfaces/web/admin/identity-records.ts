/** What administrators see of who is who: pairs, joined identities, and the decisions about them. */

export interface IdentityPair {
  readonly people: readonly [PairedPerson, PairedPerson];
  readonly clues: readonly string[];
}

/** A name and an address as commits have them. */
interface AuthorSpelling {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

export interface JoinedIdentity {
  readonly spellings: readonly (AuthorSpelling & {
    /** The address in the commits, where a mailmap replaces it. */
    readonly commitEmail?: string;
  })[];
  /** Every address of the spellings. */
  readonly addresses: readonly string[];
  /** Why two spellings, each as `Name <commit e-mail>`, are one person. */
  readonly joins: readonly {
    readonly evidence: string;
    readonly detail: string;
    readonly spellings: readonly [string, string];
  }[];
}

/** The decisions about who is who that are in force. Their people are looked up when they are shown. */
export interface DecisionBook {
  /** Newest first. @param searched words that all stand in the names of the two, their addresses or the reason. */
  read(from: number, count: number, searched: string): Promise<readonly DecisionLine[]>;
  count(searched?: string): Promise<number>;
  find(ids: readonly string[]): Promise<readonly DecisionLine[]>;
  /** Those that name an author identity of this person, newest first. */
  about(login: string, known: JoinedIdentity | undefined): Promise<readonly DecisionLine[]>;
}

export interface DecisionLine {
  readonly id: string;
  readonly kind: "same" | "different";
  readonly people: readonly [DecidedPerson, DecidedPerson];
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Id of an account, or `operator`. */
  readonly by: string;
  readonly reason: string | undefined;
  readonly evidence: readonly string[];
}

export interface DecidedPerson {
  /** The author identity, as the decision names it. */
  readonly named: string;
  /** Whose it is now, where that is one person; `undefined` also if they are in no pool any more. */
  readonly login: string | undefined;
  readonly name: string | undefined;
}

export interface PairedPerson {
  readonly login: string;
  readonly accounts: readonly string[];
  readonly spellings: readonly (AuthorSpelling & { readonly repositories: readonly string[] })[];
}

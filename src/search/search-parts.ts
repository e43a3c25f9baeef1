import type { BaseLogger } from "pino";
import type { Places } from "../places/places.ts";
import type { Pool, PoolDatabase } from "../pool/pool.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";

/** Dependencies of an index in memory or in PostgreSQL. */
export interface SearchParts {
  readonly pool: Pick<
    Pool,
    "revision" | "searchableRows" | "size" | "rankingFeatures" | "findables" | "people"
  >;
  readonly places: Pick<Places, "find" | "suggest" | "complete" | "similar" | "ancestors" | "byId">;
  readonly vocabulary: Pick<
    Vocabulary,
    | "findSkill"
    | "productId"
    | "findLanguage"
    | "readRole"
    | "findTrade"
    | "normalise"
    | "roles"
    | "words"
    | "suggest"
    | "complete"
    | "similar"
  >;
  /** The file of the pool. For ":memory:", the index is built on this thread and has no file. */
  readonly poolFile: string;
  /** The database that nodes share, if the pool is not in a file. */
  readonly database?: PoolDatabase | undefined;
  /** If true, the stored index is only read, and the pool is opened for reading. */
  readonly isReadOnly?: boolean;
  /** The file of the index. The default is `search.index` in the folder of the pool. */
  readonly indexFile?: string;
  /** Identifies the program's version and shipped data. An index of another edition is rebuilt. */
  readonly edition: string;
  readonly log: Pick<BaseLogger, "debug" | "info" | "warn" | "error">;
}

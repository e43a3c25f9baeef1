import type { BaseLogger } from "pino";
import type { Places } from "../../places/places.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Vocabulary } from "../../vocabulary/vocabulary.ts";

/** What an index in memory is built from and with. */
export interface SearchParts {
  readonly pool: Pick<Pool, "revision" | "rankingFeatures">;
  readonly places: Pick<Places, "find" | "suggest" | "complete" | "similar" | "ancestors" | "byId">;
  readonly vocabulary: Pick<
    Vocabulary,
    | "findSkill"
    | "findLanguage"
    | "findRole"
    | "roles"
    | "words"
    | "suggest"
    | "complete"
    | "similar"
  >;
  /** The pool's database; ":memory:" builds on this thread and keeps no file. */
  readonly poolFile: string;
  /** Names the program's version and shipped data: an index that another one built is built anew. */
  readonly edition: string;
  readonly log: Pick<BaseLogger, "debug" | "info" | "warn" | "error">;
}

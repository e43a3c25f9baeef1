import type { Accounts } from "../accounts/accounts.ts";
import type { Scope } from "../contract/caller.ts";
import type { Static, TObject, TSchema } from "../contract/schema.ts";
import type { Quota } from "../control/quota.ts";
import type { Places } from "../places/places.ts";
import type { Pool } from "../pool/pool.ts";
import type { SearchIndex } from "../search/search-index.ts";

/** One thing a caller may ask. REST, MCP, OpenAPI and the command line are all read off this record. */
export interface Operation<In extends TObject = TObject, Out extends TSchema = TSchema> {
  /** MCP tool and OpenAPI operationId. */
  readonly name: string;
  /** Command of the command line. */
  readonly command: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What the answer holds and what to know before asking: for the people and the models that choose. */
  readonly description: string;
  /** What an assistant must have been granted to ask it. */
  readonly scope: Scope;
  /** Costs no quota, and is throttled instead (decision 32). */
  readonly isFree?: true;
  /** Ours: no operation of the API document. */
  readonly isAddition?: true;
  readonly method: "GET" | "POST";
  /** Each `:word` is a field of `input`; the other fields of a GET are its query parameters. */
  readonly path: `/v1/${string}`;
  readonly input: In;
  readonly output: Out;
  /** Parts of the answer, as paths, that an assistant with a small context does without (`mcp.detail`). */
  readonly slimWithout?: readonly string[];
  /** A request that finds something in the demo pool; shown in OpenAPI, help and README. */
  readonly example: Static<In>;
  /** Method syntax lets one list hold them all. */
  run(input: Static<In>, modules: Modules): Promise<Static<Out>>;
}

/** The modules that an operation may ask. */
export interface Modules {
  readonly accounts: Accounts;
  readonly quota: Quota;
  readonly pool: Pool;
  readonly places: Places;
  readonly search: SearchIndex;
}

export function defineOperation<In extends TObject, Out extends TSchema>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}

/** Fields that a GET takes in its query; none for the other methods. */
export function listQueryFields({ method, path, input }: Operation): readonly string[] {
  if (method !== "GET") return [];
  const segments = path.split("/");
  return Object.keys(input.properties).filter((field) => !segments.includes(`:${field}`));
}

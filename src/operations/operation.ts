import type { Accounts } from "../accounts/accounts.ts";
import type { Caller, Scope } from "../contract/caller.ts";
import type { Payload } from "../contract/envelope.ts";
import type { Problem } from "../contract/problem.ts";
import type { Static, TObject, TSchema } from "../contract/schema.ts";
import type { Quota } from "../control/quota.ts";
import type { KnowledgeBase } from "../knowledge/knowledge.ts";
import type { Places } from "../places/places.ts";
import type { Pool } from "../pool/pool.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { Admission } from "./admission.ts";
import type { ViewPart } from "./view.ts";

/** One question that callers may ask. REST, MCP, OpenAPI and the command line are all generated from this record. */
export interface Operation<In extends TObject = TObject, Out extends TSchema = TSchema> {
  /** MCP tool and OpenAPI operationId. */
  readonly name: string;
  /** Command of the command line. */
  readonly command: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What the answer contains and what to know before asking: for people and models that choose a tool. */
  readonly description: string;
  /** What an assistant must have been granted. */
  readonly scope: Scope;
  /** Costs no quota, and is throttled instead (decision 32). */
  readonly isFree?: true;
  /**
   * For pages: which outcomes cost no call. Since that is known only after the work, it is throttled before it, like a free
   * operation, and closed to an exhausted account.
   */
  readonly isUncounted?: ((outcome: Payload | Problem) => boolean) | undefined;
  /** An operation of our own, which the API document does not have. */
  readonly isAddition?: true;
  readonly method: "GET" | "POST";
  /** Each `:word` is a field of `input`; the other fields of a GET are its query parameters. */
  readonly path: `/v1/${string}`;
  readonly input: In;
  readonly output: Out;
  /** Paths of the parts of the answer that are left out for an assistant with a small context (`mcp.detail`). */
  readonly slimWithout?: readonly string[];
  /** Paths of fields that repeat others under another name; no assistant needs them. */
  readonly aliases?: readonly string[];
  /** A request that finds something in the demo pool; shown in OpenAPI, help and README. */
  readonly example: Static<In>;
  /**
   * What people and models are shown of the answer; without it, they are shown JSON. A model's data are cleaned before,
   * and lack the fields that its detail leaves out.
   */
  view?(data: Static<Out>): readonly ViewPart[];
  /** Lines of Markdown with the same, for a comment where people work together. Nothing of third parties acts in it. */
  comment?(data: Static<Out>): readonly string[];
  /** Method syntax lets one list hold them all. The answer is not checked against `output`: the tests hold it. */
  run(
    input: Static<In>,
    modules: Modules,
    caller: Caller,
  ): Promise<Static<Out> | Payload<Static<Out>>>;
}

/** The modules that an operation may use. */
export interface Modules {
  readonly accounts: Accounts;
  readonly admission: Admission;
  readonly quota: Quota;
  readonly pool: Pool;
  readonly places: Places;
  readonly search: SearchIndex;
  readonly knowledge: KnowledgeBase;
}

export function defineOperation<In extends TObject, Out extends TSchema>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}

/** Lists the fields that a GET takes in its query; none for other methods. */
export function listQueryFields({ method, path, input }: Operation): readonly string[] {
  if (method !== "GET") return [];
  const segments = path.split("/");
  return Object.keys(input.properties).filter((field) => !segments.includes(`:${field}`));
}

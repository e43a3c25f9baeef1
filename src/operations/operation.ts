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
import type { Repeats } from "./repeats.ts";
import type { ViewPart } from "./view.ts";

/** A question that callers may ask. REST, MCP, OpenAPI and the command line are generated from this record. */
export interface Operation<In extends TObject = TObject, Out extends TSchema = TSchema> {
  /** The name of the MCP tool and the OpenAPI operationId. */
  readonly name: string;
  readonly command: string;
  readonly summary: string;
  /** Tells people and models what the answer contains. */
  readonly description: string;
  /** The scope that an assistant's access token must have. */
  readonly scope: Scope;
  /** Calls cost no quota, and are throttled instead (decision 32). */
  readonly isFree?: true;
  /** Whether a call with this outcome costs no quota. Calls of an operation with this function are throttled. */
  readonly isUncounted?: ((outcome: Payload | Problem) => boolean) | undefined;
  /** Counts the calls that an answer costs; default: one. */
  readonly countCalls?: ((found: Payload) => number) | undefined;
  readonly isAddition?: true;
  /** Whether assistants do not get it as a tool, because no model would use it. */
  readonly isForPrograms?: true;
  readonly method: "GET" | "POST";
  /** Each `:word` is a field of `input`; the other fields of a GET are its query parameters. */
  readonly path: `/v1/${string}`;
  readonly input: In;
  readonly output: Out;
  /** Fields of the answer that are left out for assistants with a small context (`mcp.detail`). */
  readonly slimWithout?: readonly string[];
  /** Fields that repeat another field under a second name. Assistants do not get them. */
  readonly aliases?: readonly string[];
  /** A request that finds something in the demo pool; shown in OpenAPI, help and README. */
  readonly example: Static<In>;
  /** A second request, which names the fields of its answer. OpenAPI shows it without an answer, which would lack required fields. */
  readonly fieldsExample?: Static<In>;
  /** Formats the answer for people and models. Without this function, they get JSON. */
  view?(data: Static<Out>): readonly ViewPart[];
  /** Formats the answer as lines of Markdown, for a comment on a change. */
  comment?(data: Static<Out>): readonly string[];
  /** Computes the answer. Only tests check the answer against `output`. */
  run(
    input: Static<In>,
    modules: Modules,
    caller: Caller,
  ): Promise<Static<Out> | Payload<Static<Out>>>;
}

export interface Modules {
  readonly accounts: Accounts;
  readonly admission: Admission;
  readonly quota: Quota;
  readonly repeats: Repeats;
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

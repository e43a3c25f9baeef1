import { type ProblemCode, problems } from "./problem.ts";
import {
  createComponent,
  createDescribedObject,
  createEnumSchema,
  createObject,
  type Static,
  type TSchema,
  Type,
} from "./schema.ts";

export const QuotaUsage = createComponent(
  "Quota",
  {
    used: Type.Integer({ minimum: 0, description: "Calls counted this month, this one included." }),
    limit: Type.Integer({ minimum: -1, description: "Calls per month; -1 is unlimited." }),
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." }),
  },
  "The caller's use of the monthly quota.",
);
export type QuotaUsage = Static<typeof QuotaUsage>;

/** Ours (decision 1): every success has `meta`, not search alone. */
export const Meta = createComponent(
  "Meta",
  {
    requestId: Type.String({ pattern: "^req_", description: "Also sent as X-Request-Id." }),
    dataSource: Type.Literal("candidate_pool", { description: "How the result was served." }),
    quota: QuotaUsage,
  },
  "How the call was answered.",
);
export type Meta = Static<typeof Meta>;

/** Ours (decision 2): an error carries the request id, and the quota once the caller is known. */
export const ErrorMeta = createDescribedObject("quota stands here once the caller is known.", {
  requestId: Meta.properties.requestId,
  quota: Type.Optional(QuotaUsage),
});
export type ErrorMeta = Static<typeof ErrorMeta>;

const codes = Object.keys(problems) as ProblemCode[];

/** `success` is a plain boolean: of a constant, openapi-generator makes an enum of texts. */
export const ErrorEnvelope = createComponent("ErrorEnvelope", {
  success: Type.Boolean({ description: "Always false." }),
  error: createDescribedObject("What went wrong.", {
    code: createEnumSchema(codes, "One of the documented codes."),
    message: Type.String({ description: "What is wrong and what would be right." }),
  }),
  meta: ErrorMeta,
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** Wraps one operation's payload in the success envelope. */
export function createSuccessEnvelope<Data extends TSchema>(data: Data) {
  return createObject({
    success: Type.Boolean({ description: "Always true." }),
    data,
    meta: Meta,
  });
}

/**
 * The answer of an operation: a value, or JSON as a text or as bytes, depending on what it was made from. JSON is parsed
 * only when the value is asked for, so an answer that is only passed on is never parsed.
 */
export class Payload<Value = unknown> {
  #value: Value | undefined;
  #json: string | Bytes | undefined;
  #cards: readonly object[] | undefined;

  private constructor(value: Value | undefined, json: string | Bytes | undefined) {
    this.#value = value;
    this.#json = json;
  }

  static ofValue<Value>(value: Value): Payload<Value> {
    return new Payload(value, undefined);
  }

  /** @param json the value in JSON, which is not checked: a text, or bytes that stay as they are. */
  static ofJson<Value>(json: string | Bytes): Payload<Value> {
    return new Payload<Value>(undefined, json);
  }

  /**
   * Names the stored cards that the answer is made of, in order, so that an interface can keep what it made from a card.
   * A card is the same object until it changes.
   */
  withCards(cards: readonly object[]): this {
    this.#cards = cards;
    return this;
  }

  get cards(): readonly object[] | undefined {
    return this.#cards;
  }

  get value(): Value {
    if (this.#value === undefined) {
      const json = this.write().#json ?? "";
      this.#value = JSON.parse(typeof json === "string" ? json : decoder.decode(json)) as Value;
    }
    return this.#value;
  }

  /** Makes the JSON now: what cannot be JSON fails here. */
  write(): this {
    this.#json ??= JSON.stringify(this.#value);
    return this;
  }

  /** The JSON in UTF-8 between two texts of ASCII, as pieces to be sent one after the other. Bytes are passed on as they are. */
  writeWithin(before: string, after: string): Piece[] {
    const json = this.write().#json ?? "";
    if (typeof json === "string") return [encoder.encode(before + json + after)];
    return [before, json, after];
  }
}

type Bytes = Uint8Array<ArrayBuffer>;
/** A part of a text in UTF-8: bytes that nobody changes, or ASCII. */
export type Piece = string | Bytes;

/** `Buffer.from` takes more than twice as long for a text that was just joined. */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The fields of an object as JSON, without its braces: to be joined with others. */
export function writeFields(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

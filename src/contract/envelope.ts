import { type ProblemCode, problems } from "./problem.ts";
import { type Static, type TSchema, Type } from "./schema.ts";

export const QuotaUsage = Type.Object(
  {
    used: Type.Integer({ minimum: 0, description: "Calls counted this month, this one included." }),
    limit: Type.Integer({ minimum: -1, description: "Calls per month; -1 is unlimited." }),
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." }),
  },
  { additionalProperties: false, description: "The caller's use of the monthly quota." },
);
export type QuotaUsage = Static<typeof QuotaUsage>;

/** Ours (decision 1): every success has `meta`, not search alone. */
export const Meta = Type.Object(
  {
    requestId: Type.String({ pattern: "^req_", description: "Also sent as X-Request-Id." }),
    dataSource: Type.Literal("candidate_pool", { description: "How the result was served." }),
    quota: QuotaUsage,
  },
  { additionalProperties: false, description: "How the call was answered." },
);
export type Meta = Static<typeof Meta>;

/** Ours (decision 2): an error carries the request id, and the quota once the caller is known. */
export const ErrorMeta = Type.Object(
  { requestId: Meta.properties.requestId, quota: Type.Optional(QuotaUsage) },
  { additionalProperties: false, description: "quota stands here once the caller is known." },
);
export type ErrorMeta = Static<typeof ErrorMeta>;

const codes = Object.keys(problems) as ProblemCode[];

export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false, { description: "Always false." }),
    error: Type.Object(
      {
        code: Type.Union(
          codes.map((code) => Type.Literal(code)),
          { description: "One of the documented codes." },
        ),
        message: Type.String({ description: "What is wrong and what would be right." }),
      },
      { additionalProperties: false, description: "What went wrong." },
    ),
    meta: ErrorMeta,
  },
  { additionalProperties: false },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** Wraps one operation's payload in the success envelope. */
export function createSuccessEnvelope<Data extends TSchema>(data: Data) {
  return Type.Object(
    { success: Type.Literal(true, { description: "Always true." }), data, meta: Meta },
    { additionalProperties: false },
  );
}

/**
 * What an operation answers: as a value or as JSON text, whichever it was made of. The other is made when somebody asks,
 * so that text which is only passed on is never parsed.
 */
export class Payload<Value = unknown> {
  #value: Value | undefined;
  #parts: readonly string[] | undefined;
  #cards: readonly object[] | undefined;

  private constructor(value: Value | undefined, parts: readonly string[] | undefined) {
    this.#value = value;
    this.#parts = parts;
  }

  static ofValue<Value>(value: Value): Payload<Value> {
    return new Payload(value, undefined);
  }

  /** @param parts joined, they are the value as JSON, which nobody checks. */
  static ofText<Value>(...parts: readonly string[]): Payload<Value> {
    return new Payload<Value>(undefined, parts);
  }

  /**
   * Tells which stored cards it is made of, in their order, so that who shows one again may keep what it made of it. Each is
   * the same object for as long as the card stays as it is.
   */
  withCards(cards: readonly object[]): this {
    this.#cards = cards;
    return this;
  }

  get cards(): readonly object[] | undefined {
    return this.#cards;
  }

  get value(): Value {
    this.#value ??= JSON.parse(this.parts.join("")) as Value;
    return this.#value;
  }

  /** The JSON text in parts: whoever joins all of an answer at once copies it once. */
  get parts(): readonly string[] {
    this.#parts ??= [JSON.stringify(this.#value)];
    return this.#parts;
  }
}

/** The fields of an object as JSON, without its braces: to be joined with others. */
export function writeFields(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

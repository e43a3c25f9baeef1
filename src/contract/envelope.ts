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
 * What an operation answers: as a value or as JSON in UTF-8, whichever it was made of. The other is made when somebody asks,
 * so that text which is only passed on is never parsed.
 */
export class Payload<Value = unknown> {
  #value: Value | undefined;
  #bytes: Uint8Array | undefined;

  private constructor(value: Value | undefined, bytes: Uint8Array | undefined) {
    this.#value = value;
    this.#bytes = bytes;
  }

  static ofValue<Value>(value: Value): Payload<Value> {
    return new Payload(value, undefined);
  }

  /** @param bytes the value as JSON in UTF-8, which nobody checks, and which stay as they are. */
  static ofBytes<Value>(bytes: Uint8Array): Payload<Value> {
    return new Payload<Value>(undefined, bytes);
  }

  /** @param text the value as JSON, which nobody checks. */
  static ofText<Value>(text: string): Payload<Value> {
    return new Payload<Value>(undefined, Buffer.from(text));
  }

  get value(): Value {
    this.#value ??= JSON.parse(utf8.decode(this.bytes)) as Value;
    return this.#value;
  }

  /** The value as JSON in UTF-8. */
  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(JSON.stringify(this.#value));
    return this.#bytes;
  }
}

const utf8 = new TextDecoder();

/** The fields of an object as JSON, without its braces: to be joined with others. */
export function writeFields(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

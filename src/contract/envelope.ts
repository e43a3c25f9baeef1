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
    used: Type.Integer({ minimum: 0, description: "Calls used this month, including this one." }),
    limit: Type.Integer({ minimum: -1, description: "Calls per month; -1 means unlimited." }),
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." }),
  },
  "Calls of the account this month.",
);
export type QuotaUsage = Static<typeof QuotaUsage>;

/** Every successful answer has `meta`. In the API document, only search answers have it (decision 1). */
export const Meta = createComponent(
  "Meta",
  {
    requestId: Type.String({
      pattern: "^req_",
      description: "Id of the request, also sent as X-Request-Id.",
    }),
    dataSource: Type.Literal("candidate_pool", { description: "Source of the answer." }),
    quota: QuotaUsage,
  },
  "About this answer.",
);
export type Meta = Static<typeof Meta>;

/** Errors have the request id, and the quota if the caller is known. The API document has neither (decision 2). */
export const ErrorMeta = createDescribedObject(
  "About this answer. Has a quota if the key is valid.",
  {
    requestId: Meta.properties.requestId,
    quota: Type.Optional(QuotaUsage),
  },
);
export type ErrorMeta = Static<typeof ErrorMeta>;

const codes = Object.keys(problems) as ProblemCode[];

/** `success` is a plain boolean, because openapi-generator turns a constant into an enum of texts. */
export const ErrorEnvelope = createComponent("ErrorEnvelope", {
  success: Type.Boolean({ description: "Always false." }),
  error: createDescribedObject("What went wrong.", {
    code: createEnumSchema(codes, "Error code."),
    message: Type.String({ description: "What is wrong, and how to correct it." }),
  }),
  meta: ErrorMeta,
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** Wraps one operation's payload in the success envelope. */
export function createSuccessEnvelope<Data extends TSchema>(data: Data) {
  return createObject({ success: Type.Boolean({ description: "Always true." }), data, meta: Meta });
}

/** The answer of an operation: a value, or JSON that is parsed only when somebody asks for the value. */
export class Payload<Value = unknown> {
  #value: Value | undefined;
  #json: string | Bytes | undefined;
  /** The stored cards in the answer, in order. A card stays the same object until its content changes. */
  readonly cards: readonly object[] | undefined;

  private constructor(value?: Value, json?: string | Bytes, cards?: readonly object[]) {
    this.#value = value;
    this.#json = json;
    this.cards = cards;
  }

  static ofValue<Value>(value: Value): Payload<Value> {
    return new Payload(value);
  }

  static ofJson<Value>(json: string | Bytes, cards: readonly object[] | undefined): Payload<Value> {
    return new Payload<Value>(undefined, json, cards);
  }

  get value(): Value {
    if (this.#value === undefined) {
      const json = this.#json ?? "";
      this.#value = JSON.parse(typeof json === "string" ? json : decoder.decode(json)) as Value;
    }
    return this.#value;
  }

  /** Writes the value as JSON. @throws if JSON cannot express the value. */
  write(): this {
    this.#json ??= JSON.stringify(this.#value);
    return this;
  }

  /** Returns a short text that is the same for the same JSON. */
  hash(): string {
    return Bun.hash(this.write().#json ?? "").toString(36);
  }

  /** The length of the JSON. */
  get length(): number {
    return this.write().#json?.length ?? 0;
  }

  /** Returns the JSON between the two texts, in UTF-8. */
  writeWithin(before: string, after: string): Bytes[] {
    const json = this.write().#json ?? "";
    if (typeof json === "string") return [encoder.encode(before + json + after)];
    return [encoder.encode(before), json, encoder.encode(after)];
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

/** `Buffer.from` would take more than twice as long. */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The fields of an object as JSON, without its braces. */
export function writeFields(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

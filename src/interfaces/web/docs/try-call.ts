/** Makes the calls that users try on the API page. The calls count like the calls of programs. */
import type { Identity } from "../../../accounts/accounts.ts";
import type { Payload } from "../../../contract/envelope.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { Answer } from "../../../operations/perform.ts";
import type { ActionRefusal, PageRequest } from "../page.ts";

interface TypedCall {
  readonly operation: Operation;
  readonly request: string;
}

export interface TriedCall extends TypedCall, Pick<Answer, "usage" | "isCounted"> {
  readonly status: number;
  /** The answer of the API with its envelope. */
  readonly body: object;
}

/** @param key an API key. Without it, the signed-in account makes the call. */
export async function tryCall(
  ask: PageRequest,
  { operation, request, key }: TypedCall & { readonly key?: string | undefined },
): Promise<TriedCall | ActionRefusal> {
  const input = parseObject(request);
  if (typeof input === "string") return { refusal: input, field: "request" };
  const identity = await findIdentity(ask, key);
  if ("refusal" in identity) return { ...identity, field: "key" };
  const { requestId, from, calls } = ask;
  const caller = { ...identity, requestId, address: from.address };
  ask.note({ key: identity.credential.id, operation: operation.name });
  const answer = await calls.attempt(operation, input, caller);
  const status = answer.ok ? 200 : answer.problem.status;
  const { usage, isCounted } = answer;
  return { operation, request, status, body: toEnvelope(answer, requestId), usage, isCounted };
}

/** @returns the object, or an error message if the text is not a JSON object. */
function parseObject(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (thrown) {
    return `The request must be JSON: ${(thrown as Error).message}.`;
  }
  return "The request must be one JSON object, such as the example.";
}

async function findIdentity(
  { visitor, modules }: PageRequest,
  key: string | undefined,
): Promise<Identity | ActionRefusal> {
  if (key !== undefined) {
    const found = await modules.accounts.authenticate(key.trim());
    return found ?? { refusal: "This key is not valid here, or was replaced." };
  }
  if (!visitor) return { refusal: "Paste an API key, or sign in first." };
  const { account, sessionId } = visitor;
  const credential = { kind: "session", id: sessionId } as const;
  return { accountId: account.id, plan: account.plan, credential };
}

function toEnvelope(answer: Answer<Payload>, requestId: string): object {
  if (answer.ok) return { success: true, data: answer.shown.value, meta: answer.meta };
  const { code, message } = answer.problem;
  const quota = answer.usage && { quota: answer.usage.quota };
  return { success: false, error: { code, message }, meta: { requestId, ...quota } };
}

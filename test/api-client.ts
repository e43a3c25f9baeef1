/**
 * Asks an appliance as a caller does, and holds every answer against the OpenAPI document that the same
 * appliance publishes: a field too many, a wrong type or an undocumented status fails the test that asked.
 */
import Ajv2020 from "ajv/dist/2020";

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  /** Sent as JSON, unless it is bytes or text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: Tests read deep into JSON that was validated already.
  readonly body: any;
}

export interface ApiClient {
  ask(ask: Ask): Promise<Reply>;
  search(body: unknown, key?: string): Promise<Reply>;
  get(login: string, key?: string): Promise<Reply>;
  analyze(username: string, key?: string): Promise<Reply>;
}

/** @param defaultKey sent as X-Api-Key by `search`, `get` and `analyze` unless another one is given. */
export async function openApiClient(
  handle: (request: Request) => Promise<Response>,
  defaultKey: string,
): Promise<ApiClient> {
  const fits = keepValidator(await (await handle(new Request(`${base}/v1/openapi.json`))).text());
  const ask = async ({ method, path, key, body, headers = {} }: Ask): Promise<Reply> => {
    const sent = new Headers(headers);
    if (key !== undefined) sent.set("x-api-key", key);
    if (body !== undefined && !sent.has("content-type")) {
      sent.set("content-type", "application/json");
    }
    const verb = method ?? (body === undefined ? "GET" : "POST");
    const request = new Request(base + path, { method: verb, headers: sent, body: asBody(body) });
    const response = await handle(request);
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    const shown = isJson && text !== "" ? JSON.parse(text) : text || undefined;
    const reply = { status: response.status, headers: response.headers, body: shown };
    // As the server sees it: `/v1/%2e%2e` has become `/` before it is sent.
    fits({ method: verb, path: new URL(request.url).pathname }, reply);
    return reply;
  };
  return {
    ask,
    search: (body, key = defaultKey) => ask({ path: "/v1/search", body, key }),
    get: (login, key = defaultKey) => ask({ path: `/v1/users/${encodeURIComponent(login)}`, key }),
    analyze: (username, key = defaultKey) =>
      ask({ path: "/v1/profile/analyze", body: { username }, key }),
  };
}

const base = "http://localhost";

function asBody(body: unknown): string | Uint8Array | null {
  if (body === undefined) return null;
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>>;
}

/** By the text of the document: to prepare one takes longer than to open an appliance in memory. */
const kept = new Map<string, ReturnType<typeof openValidator>>();
const keptMax = 8;

function keepValidator(text: string): ReturnType<typeof openValidator> {
  const known = kept.get(text);
  if (known) return known;
  const validator = openValidator(JSON.parse(text) as OpenapiDocument);
  if (kept.size >= keptMax) kept.clear();
  kept.set(text, validator);
  return validator;
}

/** The formats that the document uses. */
export const formats = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
};

/**
 * Throws, naming what does not fit, when an answer is not as the document says. It leaves answers open for fields of later
 * versions; this version has no field but those listed, and tells by `success` what the status tells.
 */
export function openValidator(published: OpenapiDocument) {
  const document = closeObjects(published) as OpenapiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats });
  ajv.addSchema(document, "openapi");
  const patterns = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));

  return ({ method, path }: { method: string; path: string }, reply: Reply): void => {
    const where = `${method} ${path}: ${reply.status}`;
    holdEnvelope(where, reply);
    const isDocument = documents.includes(path) && [200, 304].includes(reply.status);
    if (method === "HEAD" || isDocument || !path.startsWith("/v1/")) return;
    const find = (template: string) => document.paths[template]?.[method.toLowerCase()];
    // A fixed path may also fit the pattern of another one.
    const fitting = patterns.filter(({ pattern }) => pattern.test(path));
    const template = (fitting.find((one) => find(one.path)) ?? fitting[0])?.path;
    const described = template && find(template);
    const schema = described ? successOf(template, method, reply.status) : errorSchema;
    if (described && !(reply.status in described.responses)) {
      throw new Error(`${where} is not a documented status`);
    }
    if (reply.status === 304) {
      if (reply.body !== undefined) throw new Error(`${where} has a body`);
      return;
    }
    const check = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema });
    if (reply.body?.success !== (reply.status === 200))
      throw new Error(`${where}: success is wrong`);
    if (check(reply.body)) return;
    throw new Error(`${where} does not fit its schema: ${ajv.errorsText(check.errors)}`);
  };
}

/** They have no envelope. */
const documents = ["/v1/openapi.json", "/v1/openapi.yaml", "/v1/changelog", "/v1/export"];

function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, each]) =>
    key === "additionalProperties" && each === true ? [key, false] : [key, closeObjects(each)],
  );
  return Object.fromEntries(entries);
}

const errorSchema = "openapi#/components/schemas/ErrorEnvelope";

function successOf(template: string, method: string, status: number): string {
  if (status !== 200) return errorSchema;
  const path = encodeURIComponent(template.replaceAll("~", "~0").replaceAll("/", "~1"));
  return `openapi#/paths/${path}/${method.toLowerCase()}/responses/200/content/application~1json/schema`;
}

/** What holds for every answer under /v1, whatever its schema. */
function holdEnvelope(where: string, { status, headers, body }: Reply): void {
  const id = headers.get("x-request-id");
  if (!id?.startsWith("req_")) throw new Error(`${where} carries no X-Request-Id`);
  const meta = (body as { meta?: { requestId?: string } } | undefined)?.meta;
  if (meta && meta.requestId !== id)
    throw new Error(`${where}: X-Request-Id is not meta.requestId`);
  if (status === 429 && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? "")) {
    throw new Error(`${where} carries no Retry-After in whole seconds`);
  }
  if (status === 401 && !headers.get("www-authenticate")) {
    throw new Error(`${where} carries no WWW-Authenticate`);
  }
}

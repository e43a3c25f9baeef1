/** The page that documents the API and tries its calls. The page is generated from the operation records. */
import examples from "../../../../seed/examples.json";
import type { Identity } from "../../../accounts/accounts.ts";
import { describeRule } from "../../../contract/complaint.ts";
import type { Payload } from "../../../contract/envelope.ts";
import { errorResponses } from "../../../contract/error-responses.ts";
import { limits } from "../../../contract/limits.ts";
import type { TSchema } from "../../../contract/schema.ts";
import { formatCall, formatExampleCall } from "../../../operations/example-call.ts";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { Answer } from "../../../operations/perform.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { formatUsed } from "../look/format.ts";
import { Disclosure, Field, Form, TextArea } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Badge, Callout, Copyable, List, Panel } from "../look/parts.tsx";
import {
  type ActionRefusal,
  defineAction,
  definePublicPage,
  type PageRequest,
  type View,
} from "../page.ts";

const keyLengthMax = 200;

export const docsPage = definePublicPage({
  path: "/docs",
  show: (ask) => renderDocs(ask),
  actions: Object.fromEntries(
    operations.map((operation) => [
      operation.name,
      defineAction(
        {
          request: defineText("Request", limits.bodyBytesMax),
          key: defineOptionalText("API key", keyLengthMax),
        },
        async (ask, { request, key }) => {
          const tried = await tryCall(ask, { operation, request }, key);
          return "refusal" in tried ? tried : renderDocs(ask, tried);
        },
      ),
    ]),
  ),
});

interface OperationProperties {
  readonly ask: PageRequest;
  readonly operation: Operation;
  readonly tried: TriedCall | undefined;
}

function renderDocs(ask: PageRequest, tried?: TriedCall): View {
  const body = (
    <div class="stack-wide beside-contents docs">
      <nav class="contents small" aria-label="Operations">
        <List
          items={[
            <a href="#how">Getting started</a>,
            ...operations.map(({ name, summary }) => <a href={`#${name}`}>{summary}</a>),
            <a href="#errors">Errors</a>,
          ]}
        />
      </nav>
      <div class="stack-wide">
        <Beginning ask={ask} />
        {operations.map((operation) => (
          <OperationPanel
            ask={ask}
            operation={operation}
            tried={tried?.operation === operation ? tried : undefined}
          />
        ))}
        <Errors />
      </div>
    </div>
  );
  return { title: "API", body };
}

function Beginning({ ask }: Pick<OperationProperties, "ask">) {
  const curl = formatExampleCall(ask.modules.publicUrl(), "$ROSTER_API_KEY");
  return (
    <Panel title="Getting started" id="how">
      <p>
        Send your key in one header: <code>Authorization: Bearer KEY</code> or{" "}
        <code>X-Api-Key: KEY</code>.{" "}
        {ask.visitor ? "Create it under " : "Sign in to create one under "}
        <a href="/account/api">API key</a>. Keep it on servers, never in a web page.
      </p>
      <Copyable id="how-curl" label="Example" text={curl.join(" \\\n  ")} />
      <p>
        Every answer is JSON with <code>success</code> and <code>meta</code>, and with{" "}
        <code>data</code> or <code>error</code>. Unknown values are left out. A call counts if its
        status is 200 or 404. <code>meta.quota</code> and the headers <code>RateLimit</code> and{" "}
        <code>RateLimit-Policy</code> show the calls that are left.
      </p>
      <p>
        To generate a client, use the <a href="/v1/openapi.json">OpenAPI 3.1 document</a>.
        Assistants find the same operations as tools at <code>{ask.modules.publicUrl()}/mcp</code>.
      </p>
    </Panel>
  );
}

function OperationPanel({ ask, operation, tried }: OperationProperties) {
  const { name, summary, description, method, path, input, output } = operation;
  const { isFree, isAddition, isForPrograms } = operation;
  const data = (examples as Readonly<Record<string, unknown>>)[name];
  return (
    <Panel title={summary} id={name}>
      <p>
        <span class="method">{method}</span> <code>{path.replace(/:(\w+)/g, "{$1}")}</code>{" "}
        <span class="muted small">
          {isForPrograms ? "operation" : "tool"} <code>{name}</code>
        </span>{" "}
        {isFree && <Badge tone="good">free</Badge>} {isAddition && <Badge>Roster only</Badge>}
      </p>
      <p>{description}</p>
      <div class="operation">
        <div class="stack-wide">
          {Object.keys(input.properties).length > 0 && (
            <FieldTable schema={input} name={`Request fields: ${summary}`} isInput />
          )}
          <Disclosure label="Answer fields">
            <FieldTable schema={output} name={`Answer fields: ${summary}`} />
          </Disclosure>
          <Disclosure label="Example answer">
            <JsonText name={`Example answer: ${summary}`} value={{ success: true, data }} />
          </Disclosure>
        </div>
        <TryForm ask={ask} operation={operation} tried={tried} />
      </div>
      {tried && <TriedAnswer tried={tried} ask={ask} />}
    </Panel>
  );
}

function TryForm({ ask, operation, tried }: OperationProperties) {
  const { name, example } = operation;
  const form = { ask, act: name };
  const request = tried?.request ?? JSON.stringify(example, undefined, 2);
  return (
    <Form {...form} submit="Try it" tone="plain" to="/docs">
      <TextArea
        {...{ form, name: "request", label: "Request", spellcheck: "false" }}
        hint="JSON. The example works with the demo data."
        rows={String(request.split("\n").length)}
      >
        {request}
      </TextArea>
      <Field
        {...{ form, name: "key", label: "API key", maxlength: keyLengthMax }}
        hint={
          ask.visitor
            ? "Leave empty to call with your own account."
            : "Used for this call only, and not stored. Sign in to call without a key."
        }
        autocomplete="off"
        optional
      />
    </Form>
  );
}

function TriedAnswer({ ask, tried }: { readonly ask: PageRequest; readonly tried: TriedCall }) {
  const { operation, status, body, usage, calls, request } = tried;
  const address = ask.modules.publicUrl();
  const call = formatCall(operation, JSON.parse(request), { address, key: "$ROSTER_API_KEY" });
  return (
    <Callout tone={status === 200 ? "done" : "wrong"} role="status" isFocused>
      <p>
        Status {status}. {`Used ${formatCost(calls)}`}
        {usage && ` (${formatUsed(usage.month.used, usage.month.limit)})`}.
      </p>
      <JsonText name="The answer" value={body} />
      <Copyable id="tried-curl" label="The same call with curl" text={call.join(" \\\n  ")} />
    </Callout>
  );
}

function JsonText({ name, value }: { readonly name: string; readonly value: object }): Html {
  return (
    <section class="answer-text" tabindex={0} aria-label={name}>
      <pre>
        <code>{JSON.stringify(value, undefined, 2)}</code>
      </pre>
    </section>
  );
}

function Errors() {
  return (
    <Panel title="Errors" id="errors">
      <DataTable
        class="fields"
        scrolls="Statuses and codes"
        columns={[
          ["Status", ({ status }) => status],
          ["Code", ({ code }) => <code>{code}</code>],
          ["When", ({ description }) => description, "free"],
        ]}
        rows={errorResponses}
      />
    </Panel>
  );
}

interface FieldTableProperties {
  readonly schema: TSchema;
  readonly name: string;
  /** Whether the fields are input of a call. If so, the table shows the rules for their values, not only the types. */
  readonly isInput?: true;
}

/** Shows the fields of an object in a table. The fields of an inner object follow the field that contains it. */
function FieldTable({ schema, name, isInput }: FieldTableProperties) {
  return (
    <DataTable
      class="fields"
      scrolls={name}
      columns={[
        ["Field", ({ path }) => <code>{path}</code>],
        [
          isInput ? "Value" : "Type",
          ({ type, isRequired }) => (
            <>
              {type}
              {isInput && isRequired && <strong> (required)</strong>}
            </>
          ),
          "small",
        ],
        ["Description", ({ description }) => description, "small free"],
      ]}
      rows={listFields(schema, isInput ? describeRule : describeType)}
    />
  );
}

/** Lists the fields of an object and of its inner objects. `path` is written as `results[].login`. */
function listFields(
  schema: TSchema,
  describe: (schema: TSchema) => string,
  before = "",
): readonly { path: string; type: string; isRequired: boolean; description: string }[] {
  const properties: Readonly<Record<string, TSchema>> = schema["properties"] ?? {};
  const required: readonly string[] = schema["required"] ?? [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = before + name;
    const inner = field["type"] === "array" ? (field["items"] as TSchema) : field;
    const own = {
      path,
      type: describe(field),
      isRequired: required.includes(name),
      description: field.description ?? "",
    };
    return [own, ...listFields(inner, describe, field === inner ? `${path}.` : `${path}[].`)];
  });
}

function describeType(schema: TSchema): string {
  const { type, format, items } = schema;
  const values: unknown =
    schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(", ");
  if (type === "array") return `list of ${describeType(items as TSchema)}`;
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(describeType).join(" or ");
  return String(format ?? type ?? "any");
}

const formatCost = (calls: number) =>
  calls === 0 ? "no call" : calls === 1 ? "one call" : `${calls} calls`;

interface TriedCall extends Pick<Answer, "usage"> {
  readonly operation: Operation;
  readonly request: string;
  readonly status: number;
  readonly calls: number;
  readonly body: object;
}

/** @param key an API key. Without it, the signed-in account makes the call. */
async function tryCall(
  ask: PageRequest,
  { operation, request }: Pick<TriedCall, "operation" | "request">,
  key: string | undefined,
): Promise<TriedCall | ActionRefusal> {
  const input = parseObject(request);
  if (typeof input === "string") return { refusal: input, field: "request" };
  const identity = await findIdentity(ask, key);
  if ("refusal" in identity) return { ...identity, field: "key" };
  const { requestId, from } = ask;
  const caller = { ...identity, requestId, address: from.address };
  ask.note({ key: identity.credential.id, operation: operation.name });
  const answer = await ask.calls.attempt(operation, input, caller);
  const status = answer.ok ? 200 : answer.problem.status;
  const { usage, isCounted } = answer;
  const cost = answer.ok ? (operation.countCalls?.(answer.shown) ?? 1) : 1;
  const calls = isCounted ? cost : 0;
  return { operation, request, status, body: toEnvelope(answer, requestId), usage, calls };
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

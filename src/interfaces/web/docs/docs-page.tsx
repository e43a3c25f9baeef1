/** The page that documents the API and tries its calls. The page is generated from the operation records. */
import examples from "../../../../seed/examples.json";
import { errorResponses } from "../../../contract/error-responses.ts";
import { limits } from "../../../contract/limits.ts";
import { formatCall, formatExampleCall } from "../../../operations/example-call.ts";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { formatUsed } from "../look/format.ts";
import { Disclosure, Field, Form, TextArea } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Callout, Copyable, List, Panel } from "../look/parts.tsx";
import { defineAction, definePublicPage, type PageRequest, type View } from "../page.ts";
import { FieldTable } from "./schema-fields.tsx";
import { type TriedCall, tryCall } from "./try-call.ts";

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
          const tried = await tryCall(ask, { operation, request, key });
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
    <>
      <nav class="contents small" aria-label="Operations">
        <List items={operations.map(({ name, summary }) => <a href={`#${name}`}>{summary}</a>)} />
      </nav>
      <Beginning ask={ask} />
      {operations.map((operation) => (
        <OperationPanel
          ask={ask}
          operation={operation}
          tried={tried?.operation === operation ? tried : undefined}
        />
      ))}
      <Errors />
    </>
  );
  return { title: "API", body };
}

function Beginning({ ask }: Pick<OperationProperties, "ask">) {
  const curl = formatExampleCall(ask.modules.publicUrl(), "$ROSTER_API_KEY");
  return (
    <Panel title="How to call it" id="how">
      <p>
        Send your key as <code>Authorization: Bearer KEY</code> or as <code>X-Api-Key: KEY</code>,
        one of the two. {ask.visitor ? "Make it under " : "Sign in to make one under "}
        <a href="/account/api">API key</a>. Keep it on servers, never in a page.
      </p>
      <Copyable id="how-curl" label="An example" text={curl.join(" \\\n  ")} />
      <p>
        Every answer is one envelope: <code>success</code>, then <code>data</code> and{" "}
        <code>meta</code>, or <code>error</code> and <code>meta</code>. What is not known is left
        out. A call that is answered with 200 or 404 counts; <code>meta.quota</code> and the header
        fields <code>RateLimit</code> and <code>RateLimit-Policy</code> say what is left.
      </p>
      <p>
        For generators of clients: <a href="/v1/openapi.json">the OpenAPI 3.1 document</a>. For
        assistants: the same operations are tools at <code>{ask.modules.publicUrl()}/mcp</code>.
      </p>
    </Panel>
  );
}

function OperationPanel({ ask, operation, tried }: OperationProperties) {
  const { name, summary, description, method, path, input, output, isFree, isAddition } = operation;
  const data = (examples as Readonly<Record<string, unknown>>)[name];
  return (
    <Panel title={summary} id={name}>
      <p>
        <span class="method">{method}</span> <code>{path.replace(/:(\w+)/g, "{$1}")}</code>{" "}
        <span class="muted small">
          as a tool: <code>{name}</code>
          {isFree && "; costs no call"}
          {isAddition && "; an addition of Roster"}
        </span>
      </p>
      <p>{description}</p>
      <FieldTable schema={input} name={`Fields of the request: ${summary}`} isInput />
      <TryForm ask={ask} operation={operation} tried={tried} />
      {tried && <TriedAnswer tried={tried} ask={ask} />}
      <Disclosure label="Fields of the answer">
        <FieldTable schema={output} name={`Fields of the answer: ${summary}`} />
      </Disclosure>
      <Disclosure label="An answer">
        <JsonText name={`An answer: ${summary}`} value={{ success: true, data }} />
      </Disclosure>
    </Panel>
  );
}

function TryForm({ ask, operation, tried }: OperationProperties) {
  const { name, example } = operation;
  const form = { ask, act: name };
  const request = tried?.request ?? JSON.stringify(example, undefined, 2);
  return (
    <div class="try">
      <Form {...form} submit="Try it" to="/docs">
        <TextArea
          form={form}
          name="request"
          label="Request"
          hint="As JSON. The example finds something among the demo people."
          rows={String(request.split("\n").length)}
          spellcheck="false"
        >
          {request}
        </TextArea>
        <Field
          form={form}
          name="key"
          label="API key"
          type="password"
          hint={
            ask.visitor
              ? "Left empty, the call is made for the account that is signed in."
              : "It is used for this call and not kept. Who is signed in needs none."
          }
          maxlength={keyLengthMax}
          autocomplete="off"
          optional
        />
      </Form>
    </div>
  );
}

function TriedAnswer({ ask, tried }: { readonly ask: PageRequest; readonly tried: TriedCall }) {
  const { operation, status, body, usage, isCounted, request } = tried;
  const address = ask.modules.publicUrl();
  const call = formatCall(operation, JSON.parse(request), { address, key: "$ROSTER_API_KEY" });
  return (
    <Callout tone={status === 200 ? "done" : "wrong"} role="status" isFocused>
      <p>
        Answered with {status}.{" "}
        {isCounted ? "It counted as one call" : "It did not count as a call"}
        {usage && `; ${formatUsed(usage.month.used, usage.month.limit)}`}.
      </p>
      <JsonText name="The answer" value={body} />
      <Copyable id="tried-curl" label="The same by curl" text={call.join(" \\\n  ")} />
    </Callout>
  );
}

/** Shows JSON in a part of the page that scrolls, also by keyboard. */
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

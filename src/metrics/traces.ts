/**
 * Sends one span for each answered request to the collector that the operator names, by OTLP over HTTP, and nothing else to
 * nobody. A caller's trace is continued. Spans wait in bounded memory, and are dropped when the collector does not take them.
 */
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TracedAnswer, Traces } from "./metrics.ts";

interface TracesOptions {
  readonly endpoint: string;
  readonly version: string;
  readonly log: { warn(about: object, message: string): void };
}

/** How long a batch is tried, and so for how long a server that stops may wait for its collector. */
const timeoutMillis = 2000;

export function createTraces({ endpoint, version, log }: TracesOptions): Traces {
  const inner = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis });
  let isTaken = true;
  const exporter = {
    export: (...[spans, done]: Parameters<typeof inner.export>) =>
      inner.export(spans, (result) => {
        // Once, until it takes them again.
        if (result.error && isTaken) {
          log.warn({ endpoint, reason: result.error.message }, "the collector takes no traces");
        }
        isTaken = result.error === undefined;
        done(result);
      }),
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "roster", "service.version": version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("roster", version);
  return {
    observeAnswer: (answered) => {
      const { route = "none", method, status, seconds, requestId, note, traceparent } = answered;
      const endMs = Date.now();
      const attributes = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "roster.request_id": requestId,
        ...(note?.operation === undefined ? {} : { "roster.operation": note.operation }),
      };
      const startTime = endMs - 1000 * seconds;
      const options = { kind: SpanKind.SERVER, startTime, attributes };
      const span = tracer.startSpan(`${method} ${route}`, options, readParent(traceparent));
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
    },
    // What the collector does not take was told above.
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** The caller's span, as W3C Trace Context writes it. */
function readParent(traceparent: TracedAnswer["traceparent"]): Context {
  const [, traceId, spanId, flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/**
 * Sends one span for each answered request to the operator's collector, by OTLP over HTTP. Spans continue the caller's trace.
 * They are dropped if the collector does not accept them.
 */
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ObservedAnswer } from "../network/route.ts";

/** Additional fields for a span. */
interface TracedAnswer extends ObservedAnswer {
  readonly requestId: string;
  readonly note?: { readonly operation?: string } | undefined;
  /** The caller's `traceparent` header. */
  readonly traceparent: string | undefined;
}

interface TracesOptions {
  readonly endpoint: string;
  readonly version: string;
  readonly log: { warn(about: object, message: string): void };
}

/** The time limit for sending a batch. A stopping server may wait this long for its collector. */
const timeoutMillis = 2000;

/** The time limit of the exporter's answer. It is a little longer than the exporter's own limit. */
const answerMsMax = timeoutMillis + 500;
/** The code of a failure in the exporter's results. */
const failed = 1;
/** The most spans that wait to be sent. A span takes about a kilobyte. */
const maxQueueSize = 8192;

export type Traces = ReturnType<typeof createTraces>;

export function createTraces({ endpoint, version, log }: TracesOptions) {
  const inner = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis });
  const spans = { made: 0, left: 0, taken: 0 };
  let isTaken = true;
  // A failure is logged once. It is logged again only after the collector has accepted spans.
  const complain = (reason: string) => {
    if (isTaken) log.warn({ endpoint, reason }, "the collector accepts no traces");
    isTaken = false;
  };
  const exporter = {
    export: (...[batch, done]: Parameters<typeof inner.export>) => {
      const isOverfull = spans.made - spans.left > maxQueueSize;
      spans.left = isOverfull ? spans.made - maxQueueSize : spans.left + batch.length;
      if (isOverfull) complain("it accepts fewer spans than there are");
      let isOver = false;
      const finish: typeof done = (result) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (result.error) complain(result.error.message);
        else spans.taken += batch.length;
        isTaken = !result.error && !isOverfull;
        done(result);
      };
      // The exporter needs a second limit, because it waits forever for a response that never ends.
      const late = { code: failed, error: new Error("its answer does not end") };
      const timer = setTimeout(finish, answerMsMax, late);
      inner.export(batch, finish);
    },
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "roster", "service.version": version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize })],
  });
  const tracer = provider.getTracer("roster", version);
  return {
    observeAnswer: (answered: TracedAnswer) => {
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
      if (span.isRecording()) spans.made += 1;
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
    },
    /** Sends the remaining spans. */
    async close() {
      // `complain` has already logged the reason of a failure.
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, Bun.sleep(answerMsMax + 500)]);
      const lost = spans.made - spans.taken;
      if (lost > 0) log.warn({ endpoint, lost, of: spans.made }, "spans were not accepted");
    },
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

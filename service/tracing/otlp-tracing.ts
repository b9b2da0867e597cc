import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context as SpanContext, Span } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import type { ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { failureKind, ThrottledFailures } from '#lib/failures/throttled-failures.ts';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { version } from '../version.ts';
import type { OpenSpan, Tracing } from './tracing.ts';

// The only file that imports OpenTelemetry. It is loaded only if traces are configured.

const kinds = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER, client: SpanKind.CLIENT };

/** Spans beyond these are dropped until the collector has taken some. */
const maxWaitingSpans = 2048;
/** How long one request to the collector may take, with its retries. */
const sendTimeoutMs = 10_000;
/** How long the last spans may take when the process stops. */
const flushTimeoutMs = 2000;

/**
 * Sends spans in the background to the collector at `config.endpoint`, with OTLP over HTTP. Whether
 * it responds or not, nothing waits for it. The provider is not registered globally, so no library
 * that knows OpenTelemetry adds spans of its own.
 */
export function createOtlpTracing(
  { endpoint, headers, serviceName, sampleRatio }: NonNullable<Config['tracing']>,
  log: Logger,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.href.replace(/\/$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: sendTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(
        resourceFromAttributes({
          'service.name': serviceName,
          'service.version': version,
          'service.instance.id': randomUUID(),
        }),
      ),
    // What the first span of a trace decides holds for the whole trace.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new LoggedExporter(exporter, log),
        maxQueueSize: maxWaitingSpans,
      }),
    ],
  });
  const tracer = provider.getTracer('conversation-service', version);
  return {
    begin({ name, kind, parent, attributes }) {
      return open(tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent)));
    },
    async stop() {
      const { promise: isLate, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, flushTimeoutMs);
      // The exporter has logged a failure.
      await Promise.race([provider.shutdown().catch(() => undefined), isLate]);
      clearTimeout(timer);
    },
  };
}

function contextOf(parent: string | null): SpanContext {
  const parsed = parent === null ? null : parseTraceParent(parent);
  if (parsed === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true });
}

function open(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end(attributes = {}) {
      span.setAttributes(attributes);
      if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Logs that the collector cannot be reached, which the SDK reports to nobody. */
class LoggedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Logger;
  readonly #failures = new ThrottledFailures();

  constructor(exporter: SpanExporter, log: Logger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  #report({ code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS) {
      if (this.#failures.end()) this.#log.info('traces are sent to the collector again');
      return;
    }
    const noted = this.#failures.note(error);
    // Not the error: it contains the response of the collector.
    if (noted) {
      this.#log.warn({ reason: failureKind(error), ...noted }, 'traces could not be sent');
    }
  }
}

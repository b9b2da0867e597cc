/**
 * All that a span says besides its name, its times and whether it failed. This list keeps
 * everything else inside the service: tokens, addresses, query strings, payloads and responses.
 * The names are those of OpenTelemetry's semantic conventions, where they have one.
 */
export type SpanAttributes = {
  'http.request.method'?: string;
  /** The path in the contract, with its parameters in braces. */
  'http.route'?: string;
  'http.response.status_code'?: number;
  /** How many attempts of the same delivery came before. */
  'http.request.resend_count'?: number;
  /** A status or a kind of error. A span with it counts as failed. */
  'error.type'?: string;
  'messaging.system'?: 'conversation_service';
  'messaging.operation.name'?: 'publish';
  /** The span is the parent of those that send the message later. */
  'messaging.operation.type'?: 'create';
  /** The type of the event. */
  'messaging.destination.name'?: string;
  /** The `webhook-id` that receivers get. */
  'messaging.message.id'?: string;
  'conversation_service.account.id'?: string;
  'conversation_service.request.id'?: string;
  'conversation_service.webhook.id'?: number;
  /** What the attempt means for its delivery, as metrics name it. */
  'conversation_service.attempt.outcome'?: string;
};

export type NewSpan = {
  name: string;
  kind: 'server' | 'producer' | 'client';
  /** The `traceParent` of another span, perhaps of another process; null begins a trace. */
  parent: string | null;
  attributes: SpanAttributes;
};

export type OpenSpan = {
  /** Identifies the span as a `traceparent` header does (W3C Trace Context). */
  readonly traceParent: string;
  /** Ends it with what is only known now. A span that is never ended is never sent. */
  end(attributes?: SpanAttributes): void;
};

/** What records spans; null if none are recorded. */
export type Traced = { tracing: Tracing | null };

/** Records spans and sends them to a collector. */
export type Tracing = {
  begin(span: NewSpan): OpenSpan;
  /** Sends the spans that ended, for a moment at most, and records no others. */
  stop(): Promise<void>;
};

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer as readBuffer } from 'node:stream/consumers';
import { parse } from 'protobufjs';
import { listenOnLoopback } from '#lib/testing/loopback.ts';

/** A span as it arrived. */
export type ReceivedSpan = {
  /** The `service.instance.id` of the process that recorded it. */
  process: string;
  name: string;
  kind: string;
  traceId: string;
  spanId: string;
  /** Null: it begins its trace. */
  parentSpanId: string | null;
  attributes: Record<string, string | number>;
  isFailed: boolean;
};

export type Collector = {
  origin: string;
  /** The headers of each request. */
  headers: NodeJS.Dict<string | string[]>[];
  /** All spans received, in the order in which they ended. */
  spans(): ReceivedSpan[];
  /** All attributes of the processes that sent something. */
  resources(): Record<string, string | number>[];
  /** Everything received, byte by byte. */
  text(): string;
  /** Sets how it responds; 200 until then. Null: not before this is called again. */
  respondWith(status: number | null, body?: string): void;
  close(): Promise<void>;
};

/** A server on loopback that receives traces as a collector does: with OTLP over HTTP. */
export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = [];
  const headers: Collector['headers'] = [];
  const waiting: ServerResponse[] = [];
  let respond: { status: number | null; body: string } = { status: 200, body: '' };
  const answer = (response: ServerResponse) => {
    if (respond.status === null) waiting.push(response);
    else response.writeHead(respond.status).end(respond.body);
  };
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBuffer(request);
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    if (isTraces && request.headers['content-type'] === 'application/x-protobuf') {
      bodies.push(body);
      headers.push(request.headers);
    }
    answer(response);
  }
  const server = createServer((request, response) => void serve(request, response));
  const port = await listenOnLoopback(server);
  const read = () => bodies.flatMap((body) => decode(body));
  return {
    origin: `http://127.0.0.1:${port}`,
    headers,
    spans: () => read().flatMap(readSpans),
    resources: () => read().map(({ resource }) => readAttributes(resource.attributes)),
    text: () => Buffer.concat(bodies).toString('latin1'),
    respondWith(status, body = '') {
      respond = { status, body };
      for (const response of waiting.splice(0)) answer(response);
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      server.close(resolve);
      server.closeAllConnections();
      await promise;
    },
  };
}

/** The part of opentelemetry/proto/collector/trace/v1/trace_service.proto that tests read. */
const { root } = parse(`
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    SpanKind kind = 6;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  enum SpanKind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; }
  message Status { StatusCode code = 3; }
  enum StatusCode { UNSET = 0; OK = 1; ERROR = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; int64 int_value = 3; double double_value = 4; }
  }`);
const requestType = root.lookupType('ExportTraceServiceRequest');

type KeyValue = {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
};

type ResourceSpans = {
  resource: { attributes: KeyValue[] };
  scopeSpans: {
    spans: {
      traceId: Uint8Array;
      spanId: Uint8Array;
      parentSpanId: Uint8Array;
      name: string;
      kind: string;
      attributes: KeyValue[];
      status: { code: string };
    }[];
  }[];
};

function decode(body: Buffer): ResourceSpans[] {
  const decoded = requestType.toObject(requestType.decode(body), {
    longs: Number,
    enums: String,
    defaults: true,
  });
  return decoded['resourceSpans'] as ResourceSpans[];
}

function readSpans({ resource, scopeSpans }: ResourceSpans): ReceivedSpan[] {
  const process = String(readAttributes(resource.attributes)['service.instance.id']);
  return scopeSpans.flatMap(({ spans }) =>
    spans.map((span) => ({
      process,
      name: span.name,
      kind: span.kind,
      traceId: Buffer.from(span.traceId).toString('hex'),
      spanId: Buffer.from(span.spanId).toString('hex'),
      parentSpanId: Buffer.from(span.parentSpanId).toString('hex') || null,
      attributes: readAttributes(span.attributes),
      isFailed: span.status.code === 'ERROR',
    })),
  );
}

function readAttributes(pairs: readonly KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? '',
    ]),
  );
}

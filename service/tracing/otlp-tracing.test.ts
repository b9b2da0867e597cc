import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestLog } from '../testing/logger.ts';
import { startCollector, type Collector } from '../testing/tracing/collector.ts';
import { createOtlpTracing } from './otlp-tracing.ts';
import type { Tracing } from './tracing.ts';

let collector: Collector;
let log: TestLog;
beforeEach(async () => {
  collector = await startCollector();
  log = new TestLog();
});
afterEach(() => collector.close());

function tracingTo(origin: string): Tracing {
  const about = { headers: {}, serviceName: 'keys', sampleRatio: 1 };
  return createOtlpTracing({ endpoint: new URL(origin), ...about }, log.logger);
}

/** As many spans as are sent without waiting for more. */
const batch = 512;

function record(tracing: Tracing, count: number): void {
  for (let made = 0; made < count; made += 1) {
    tracing.begin({ name: 'GET', kind: 'server', parent: null, attributes: {} }).end();
  }
}

const messages = () => log.entries.map(({ msg }) => msg);

test('a stop waits neither for a response of the collector nor for its time limit', async () => {
  collector.respondWith(null);
  const tracing = tracingTo(collector.origin);
  record(tracing, batch);
  await tracing.stop();
  expect(collector.headers).toHaveLength(1);
  expect(messages()).toEqual([]);
  collector.respondWith(200);
});

test('spans beyond a bounded queue are dropped while the collector does not respond', async () => {
  collector.respondWith(null);
  const tracing = tracingTo(collector.origin);
  record(tracing, 10_000);
  collector.respondWith(200);
  await tracing.stop();
  const received = collector.spans().length;
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThanOrEqual(2048 + batch);
});

test('a failure is logged once, without the words of the collector, and so is its end', async () => {
  const tracing = tracingTo(collector.origin);
  collector.respondWith(400, 'words of the collector');
  record(tracing, batch);
  await expect.poll(messages).toEqual(['traces could not be sent']);
  record(tracing, batch);
  await expect.poll(() => collector.headers.length).toBe(2);
  collector.respondWith(200);
  record(tracing, batch);
  await tracing.stop();
  expect(messages()).toEqual([
    'traces could not be sent',
    'traces are sent to the collector again',
  ]);
  expect(JSON.stringify(log.entries)).not.toContain('words of the collector');
});

test('a parent that cannot be read begins a new trace', async () => {
  const tracing = tracingTo(collector.origin);
  const parent = 'not a traceparent';
  tracing.begin({ name: 'GET', kind: 'server', parent, attributes: {} }).end();
  await tracing.stop();
  expect(collector.spans()).toMatchObject([{ parentSpanId: null }]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { unusedPort } from '#lib/testing/loopback.ts';
import { startService } from '../testing/processes/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startCollector, type Collector } from '../testing/tracing/collector.ts';

const printOpenTelemetry = new URL(
  '../testing/processes/preloads/print-opentelemetry.ts',
  import.meta.url,
);

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

/** Runs a service for one call. Returns the packages of OpenTelemetry that it loaded. */
async function runForOneCall(environment: Record<string, string>): Promise<Set<string>> {
  const service = await startService(
    { DATA_DIR: temporaryFolder(), ...environment },
    printOpenTelemetry,
  );
  expect((await fetch(`${service.origin}/api/v1/api-key`)).status).toBe(401);
  service.stop();
  expect(await service.ended()).toBe(0);
  return new Set(Array.from(service.output().matchAll(/^loads (.+)$/gm), ([, name]) => `${name}`));
}

test('a service without a collector loads nothing of OpenTelemetry but the interface that prom-client requires', async () => {
  expect([...(await runForOneCall({}))]).toEqual(['@opentelemetry/api']);
});

test.each([
  ['does not respond', async () => collector.origin],
  ['is not there', async () => `http://127.0.0.1:${await unusedPort()}`],
])(
  'a collector that %s fails no call, and does not prevent the service from stopping',
  async (_what, originOf) => {
    collector.respondWith(null);
    const endpoint = await originOf();
    await runForOneCall({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  },
);

test('a service that stops sends the spans that it has not sent yet', async () => {
  const loaded = await runForOneCall({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin });
  expect(loaded).toContain('@opentelemetry/sdk-trace');
  expect(collector.spans()).toMatchObject([
    { name: 'GET /api/v1/api-key', attributes: { 'http.response.status_code': 401 } },
  ]);
});

import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The part that responded. There is no path or id: labels must have few values. */
export type Surface = 'api' | 'pages' | 'health';

export type Metrics = {
  contentType: string;
  /** Everything measured so far, in the Prometheus text format. */
  text(): Promise<string>;
  observeRequest(request: { surface: Surface | null; status: number; seconds: number }): void;
  /** Counts an attempt by its outcome. */
  countAttempt(outcome: string): void;
  /** Counts deliveries that only the sweep found: none, unless a process was killed. */
  countRepaired(deliveries: number): void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['surface', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts made to deliver an event, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const repaired = new Counter({
    name: 'webhook_deliveries_repaired_total',
    help: 'Due deliveries of which no worker was notified, found by the sweep.',
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest({ surface, status, seconds }) {
      requests.observe(
        { surface: surface ?? 'none', status: `${Math.floor(status / 100)}xx` },
        seconds,
      );
    },
    countAttempt(outcome) {
      attempts.inc({ outcome });
    },
    countRepaired(deliveries) {
      repaired.inc(deliveries);
    },
  };
}

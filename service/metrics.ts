import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { aboutProblem, problemOfStatus } from '#lib/contract/api-keys/call-problems.ts';
import { version } from './version.ts';

/** The part that responded. */
export type Surface = 'api' | 'pages' | 'health';

/** What calls report. No account, key or path is a label: labels must have few values. */
export type CallMetrics = {
  /** Returns what counts the calls of a route; null for paths that are not in the contract. */
  callsOf(route: string | null): (status: number, seconds: number) => void;
  /** Counts an act that a rate limit refused. */
  countRefusal(limit: string): void;
};

/** What the metrics read when they are scraped. */
export type MetricsSources = {
  backlog?: () => Promise<Backlog>;
  /** The connections to the database, by what uses them. */
  connections?: () => Record<string, Connections>;
  /** Delivery attempts in progress. */
  attemptsInFlight?: () => number;
  /** How often a token was in memory, and how often it was looked up in the database. */
  tokenLookUps?: () => { cached: number; read: number };
};

/** What waits in the database. Ages are in seconds, 0 if nothing waits. */
export type Backlog = {
  dueWebhooks: number;
  oldestDueSeconds: number;
  failingWebhooks: number;
  waitingEmails: number;
  oldestEmailSeconds: number;
  undeliverableEmails: number;
};

export type Connections = { open: number; idle: number; waiting: number };

export type Metrics = CallMetrics & {
  contentType: string;
  /** Everything measured so far, in the Prometheus text format. */
  text(): Promise<string>;
  observeRequest(request: { surface: Surface | null; status: number; seconds: number }): void;
  /** @param failure the kind of error, or the class of the status, such as `5xx`; null for none */
  countAttempt(outcome: string, failure: string | null): void;
  /** Counts deliveries that only the sweep found: none, unless a process was killed. */
  countRepaired(deliveries: number): void;
  read(sources: MetricsSources): void;
};

/** For contexts whose metrics nobody reads. */
export const noMetrics: CallMetrics = {
  callsOf: () => () => undefined,
  countRefusal: () => undefined,
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'conversation_service_info',
    help: 'Always 1. The label names the version.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['surface', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts made to deliver an event, by outcome and kind of failure.',
    labelNames: ['outcome', 'failure'],
    registers,
  });
  const repaired = new Counter({
    name: 'webhook_deliveries_repaired_total',
    help: 'Due deliveries of which no worker was notified, found by the sweep.',
    registers,
  });
  return {
    ...createCallMetrics(registry),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest({ surface, status, seconds }) {
      requests.observe(
        { surface: surface ?? 'none', status: `${Math.floor(status / 100)}xx` },
        seconds,
      );
    },
    countAttempt(outcome, failure) {
      attempts.inc({ outcome, failure: failure ?? 'none' });
    },
    countRepaired(deliveries) {
      repaired.inc(deliveries);
    },
    read: (sources) => addGauges(registry, sources),
  };
}

function createCallMetrics(registry: Registry): CallMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: 'api_calls_total',
    help: 'Calls of the API and the dashboard, by route of the contract and outcome.',
    labelNames: ['route', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'api_call_duration_seconds',
    help: 'Time that the service took for a call, by route.',
    labelNames: ['route'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5],
    registers,
  });
  const refusals = new Counter({
    name: 'rate_limit_refusals_total',
    help: 'Acts that a rate limit refused, by limit.',
    labelNames: ['limit'],
    registers,
  });
  return {
    callsOf(name) {
      const route = name ?? 'none';
      const duration = durations.labels(route);
      return (status, seconds) => {
        const outcome = status < 400 ? 'succeeded' : aboutProblem(problemOfStatus(status)).outcome;
        calls.inc({ route, outcome });
        duration.observe(seconds);
      };
    },
    countRefusal(limit) {
      refusals.inc({ limit });
    },
  };
}

const backlogGauges: Readonly<Record<keyof Backlog, { name: string; help: string }>> = {
  dueWebhooks: {
    name: 'webhooks_due',
    help: 'Webhooks with deliveries that are due and that no worker has begun.',
  },
  oldestDueSeconds: {
    name: 'webhooks_due_oldest_seconds',
    help: 'How long the first of them has been due.',
  },
  failingWebhooks: { name: 'webhooks_failing', help: 'Webhooks whose last attempt failed.' },
  waitingEmails: { name: 'emails_waiting', help: 'Emails that are due and were not sent.' },
  oldestEmailSeconds: {
    name: 'emails_waiting_oldest_seconds',
    help: 'How long the first of them has been due.',
  },
  undeliverableEmails: {
    name: 'emails_undeliverable',
    help: 'Emails that the mail server refused or did not take in time.',
  },
};

/** Of these, each scrape reads the backlog at most once. */
function addGauges(registry: Registry, sources: MetricsSources): void {
  const add = (metric: Gauge | Counter) => registry.registerMetric(metric);
  const { backlog, connections, attemptsInFlight, tokenLookUps } = sources;
  if (backlog) {
    let reading: Promise<Backlog> | null = null;
    const readOnce = async () => await (reading ??= backlog().finally(() => (reading = null)));
    for (const [key, about] of Object.entries(backlogGauges)) {
      add(
        new Gauge({
          ...about,
          registers: [],
          async collect() {
            // While the database is away, no number is true.
            const read = await readOnce().catch(() => null);
            this.set(read?.[key as keyof Backlog] ?? NaN);
          },
        }),
      );
    }
  }
  if (connections) {
    add(
      new Gauge({
        name: 'database_connections',
        help: 'Connections to PostgreSQL by pool and state; waiting: statements without one.',
        labelNames: ['pool', 'state'],
        registers: [],
        collect() {
          for (const [pool, states] of Object.entries(connections())) {
            for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
          }
        },
      }),
    );
  }
  if (attemptsInFlight) {
    add(
      new Gauge({
        name: 'webhook_attempts_in_flight',
        help: 'Delivery attempts of this process in progress.',
        registers: [],
        collect() {
          this.set(attemptsInFlight());
        },
      }),
    );
  }
  if (tokenLookUps) {
    add(
      new Counter({
        name: 'api_token_lookups_total',
        help: 'Look-ups of tokens: in memory (cached) or in the database (read).',
        labelNames: ['from'],
        registers: [],
        collect() {
          const { cached, read } = tokenLookUps();
          this.reset();
          this.inc({ from: 'cached' }, cached);
          this.inc({ from: 'read' }, read);
        },
      }),
    );
  }
}

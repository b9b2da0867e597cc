import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../metrics.ts';
import { isLoopbackAddress, isLoopbackHost } from '../../network/networks.ts';
import { areEqualInConstantTime } from '../../secrets/are-equal-in-constant-time.ts';
import { version } from '../../version.ts';
import type { RequestOrigin } from './client/sanitize-headers.ts';

/** The health, readiness and metrics routes. */
export type Health = {
  respond(request: IncomingMessage, response: ServerResponse, origin: RequestOrigin): Promise<void>;
};

/**
 * `/healthz`: the process is running, and its version. `/readyz`: the database responds and accepts writes, and the
 * process is not stopping; the process listens only once the database is migrated. The result is
 * cached, however many clients ask. `/metrics`: for clients that have the token; without one, for
 * clients on this machine, unless PUBLIC_URL says that there is a proxy.
 */
export function createHealth(options: {
  ping: () => Promise<void>;
  /** Null if the process has no database. */
  probeWrite: (() => Promise<void>) | null;
  isDraining: () => boolean;
  metrics: Metrics;
  metricsToken: string | null;
  publicUrl: URL;
}): Health {
  const { isDraining, metrics, metricsToken, publicUrl } = options;
  /** Only a proxy can serve https, and it may make every client look like this machine. */
  const isBehindProxy = publicUrl.protocol === 'https:';
  const isResponding = cachedProbe(options.ping, { succeeded: 500, failed: 250 });
  // Cached for longer, because a write costs more than a ping.
  const acceptsWrites =
    options.probeWrite && cachedProbe(options.probeWrite, { succeeded: 5000, failed: 1000 });

  /** The reason why the process is not ready; null if it is ready. */
  async function findObstacle(): Promise<string | null> {
    if (isDraining()) return 'stopping';
    if (!(await isResponding())) return 'database does not respond';
    if (acceptsWrites && !(await acceptsWrites())) return 'database does not accept writes';
    return null;
  }

  function mayReadMetrics({ headers }: IncomingMessage, origin: RequestOrigin): boolean {
    return metricsToken === null
      ? !isBehindProxy && isThisMachine(origin)
      : isEqual(headers.authorization ?? '', `Bearer ${metricsToken}`);
  }

  async function respondWithMetrics(response: ServerResponse): Promise<void> {
    const text = await metrics.text();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' });
    response.end(text);
  }

  return {
    async respond(request, response, origin) {
      const { method, url = '' } = request;
      if (method !== 'GET' && method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        send(response, 405, { status: 'method not allowed' });
      } else if (url.startsWith('/metrics')) {
        if (mayReadMetrics(request, origin)) await respondWithMetrics(response);
        else send(response, 404, { status: 'not found' });
      } else if (url.startsWith('/healthz')) {
        send(response, 200, { status: 'ok', version });
      } else {
        const obstacle = await findObstacle();
        send(response, obstacle === null ? 200 : 503, { status: obstacle ?? 'ok' });
      }
    },
  };
}

/**
 * A proxy on this machine makes every client look local, so requests that were forwarded, or that
 * name a public host, do not count as local.
 */
function isThisMachine({ address, host, isDirect }: RequestOrigin): boolean {
  const hostname = host?.replace(/:\d+$/, '') ?? '';
  return isDirect && isLoopbackAddress(address) && isLoopbackHost(hostname);
}

function isEqual(left: string, right: string): boolean {
  // Of digests, so that not even the length of the token is revealed.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return areEqualInConstantTime(digest(left), digest(right));
}

type Body = { status: string; version?: string };

function send(response: ServerResponse, code: number, body: Body): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** How many milliseconds the result of a probe is cached. */
type Ttl = { succeeded: number; failed: number };

/** How long a probe may take before it counts as failed. */
const timeoutMs = 2000;

/**
 * Makes a probe that any number of clients may ask for: its result is cached, and never two of them
 * run at the same time.
 *
 * @returns whether the probe succeeded, within 2 seconds
 */
function cachedProbe(probe: () => Promise<void>, ttl: Ttl): () => Promise<boolean> {
  let result: Promise<boolean> | null = null;
  // Measured with the monotonic clock, because a change of the system time must not extend it.
  let expiresAt = Infinity;
  async function run(): Promise<boolean> {
    expiresAt = Infinity;
    const hasSucceeded = await succeeds(probe);
    expiresAt = performance.now() + (hasSucceeded ? ttl.succeeded : ttl.failed);
    return hasSucceeded;
  }
  return async () => {
    if (result === null || performance.now() >= expiresAt) result = run();
    return await withinTimeout(result);
  };
}

function succeeds(act: () => Promise<void>): Promise<boolean> {
  return act().then(
    () => true,
    () => false,
  );
}

async function withinTimeout(probe: Promise<boolean>): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  const hasSucceeded = await Promise.race([probe, timedOut]);
  clearTimeout(timer);
  return hasSucceeded;
}

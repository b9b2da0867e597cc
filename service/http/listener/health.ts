import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../metrics.ts';
import { isLoopbackAddress, isLoopbackHost } from '../../network/networks.ts';
import { areEqualInConstantTime } from '../../secrets/are-equal-in-constant-time.ts';
import type { RequestOrigin } from './client/cleanse-headers.ts';

/** The health, readiness and metrics routes. */
export type Health = {
  respond(request: IncomingMessage, response: ServerResponse, origin: RequestOrigin): Promise<void>;
};

/** How long the database may take to respond before the process counts as not ready. */
const timeoutMs = 2000;

/**
 * How many milliseconds the result of a probe is cached: longer for a write, which costs more than
 * a ping.
 */
type Ttl = { succeeded: number; failed: number };
const pingTtl: Ttl = { succeeded: 500, failed: 250 };
const writeProbeTtl: Ttl = { succeeded: 5000, failed: 1000 };

/**
 * `/healthz`: the process is running. `/readyz`: the database responds and accepts writes, and the
 * process is not stopping; the process listens only once the database is migrated. The result is
 * cached, however many clients ask. `/metrics`: for whoever has the token; without one, for clients
 * on this machine, unless PUBLIC_URL says that there is a proxy.
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
  const isResponding = cacheProbe(options.ping, pingTtl);
  const acceptsWrites = options.probeWrite && cacheProbe(options.probeWrite, writeProbeTtl);

  /** The reason why the process is not ready; null if it is ready. */
  async function findObstacle(): Promise<string | null> {
    if (isDraining()) return 'stopping';
    if (!(await withinTimeout(isResponding()))) return 'database does not respond';
    if (acceptsWrites && !(await withinTimeout(acceptsWrites())))
      return 'database does not accept writes';
    return null;
  }

  return {
    async respond(request, response, origin) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        send(response, 405, { status: 'method not allowed' });
      } else if (request.url?.startsWith('/metrics')) {
        const mayRead =
          metricsToken === null
            ? !isBehindProxy && isThisMachine(origin)
            : isEqual(request.headers.authorization ?? '', `Bearer ${metricsToken}`);
        if (!mayRead) {
          send(response, 404, { status: 'not found' });
          return;
        }
        const text = await metrics.text();
        response.writeHead(200, {
          'Content-Type': metrics.contentType,
          'Cache-Control': 'no-store',
        });
        response.end(text);
      } else {
        const obstacle = request.url?.startsWith('/healthz') ? null : await findObstacle();
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

async function withinTimeout(probe: Promise<boolean>): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  const hasSucceeded = await Promise.race([probe, timedOut]);
  clearTimeout(timer);
  return hasSucceeded;
}

/** Caches the result of a probe for its TTL, and never runs two of them at once. */
function cacheProbe(probe: () => Promise<void>, ttl: Ttl): () => Promise<boolean> {
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
    return await result;
  };
}

function succeeds(act: () => Promise<void>): Promise<boolean> {
  return act().then(
    () => true,
    () => false,
  );
}

function send(response: ServerResponse, status: number, body: { status: string }): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

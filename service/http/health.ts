import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../metrics.ts';
import { isLoopbackAddress, isLoopbackHost } from '../networks.ts';
import type { RequestOrigin } from './cleanse-headers.ts';

/** What machines ask the process about itself. */
export type Health = {
  answer(request: IncomingMessage, response: ServerResponse, origin: RequestOrigin): Promise<void>;
};

/** How long a database may take to answer before the process counts as not ready. */
const patienceMs = 2000;

/**
 * `/healthz`: the process is up. `/readyz`: the database answers and the process is not stopping;
 * it listens only once the database is migrated. `/metrics`: for this machine, or with the token.
 */
export function createHealth(options: {
  ping: () => Promise<void>;
  isDraining: () => boolean;
  metrics: Metrics;
  metricsToken: string | null;
}): Health {
  const { ping, isDraining, metrics, metricsToken } = options;

  async function isReady(): Promise<boolean> {
    if (isDraining()) return false;
    return await withinPatience(ping());
  }

  return {
    async answer(request, response, origin) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        send(response, 405, { status: 'method not allowed' });
      } else if (request.url?.startsWith('/metrics')) {
        if (!mayReadMetrics(request, origin, metricsToken)) {
          send(response, 404, { status: 'not found' });
          return;
        }
        const text = await metrics.text();
        response.writeHead(200, {
          'Content-Type': metrics.contentType,
          'Cache-Control': 'no-store',
        });
        response.end(text);
      } else if (request.url?.startsWith('/healthz') || (await isReady())) {
        send(response, 200, { status: 'ok' });
      } else {
        send(response, 503, { status: isDraining() ? 'stopping' : 'database does not answer' });
      }
    },
  };
}

/**
 * Without a token only a client on this machine may read. A proxy beside us makes every client look
 * like one, so what was forwarded, or asked for under a public name, does not count as local.
 */
function mayReadMetrics(
  { headers }: IncomingMessage,
  { address, host, isDirect }: RequestOrigin,
  token: string | null,
): boolean {
  if (token !== null) return isEqual(headers.authorization ?? '', `Bearer ${token}`);
  const hostname = host?.replace(/:\d+$/, '') ?? '';
  return isDirect && isLoopbackAddress(address) && isLoopbackHost(hostname);
}

function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

async function withinPatience(act: Promise<void>): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, patienceMs, false);
  const answered = act.then(
    () => true,
    () => false,
  );
  const isAnswered = await Promise.race([answered, tooLate]);
  clearTimeout(timer);
  return isAnswered;
}

function send(response: ServerResponse, status: number, body: { status: string }): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

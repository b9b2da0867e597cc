import { openSession, startReceiver } from 'conversation-service-playwright-kit';
import type { Receiver } from 'conversation-service-playwright-kit';
import { asDashboard } from '../helpers/as-dashboard.ts';
import { startWorkerServer } from '../helpers/servers/worker-server.ts';
import type { WorkerServer } from '../helpers/servers/worker-server.ts';

/** Calls the API and returns the data of the response. It throws if the call fails. */
export type Call = <Data = unknown>(method: string, path: string, body?: object) => Promise<Data>;

/** The service that the pictures show, whose clock follows the story. */
export type Installation = {
  worker: WorkerServer;
  /** From now on it is this time, such as `11-24 10:20`, in 2026 and in UTC. */
  setClock: (time: string) => Promise<void>;
  /** The calls of a person in an account, who has just given their password. */
  person: (email: string, account: string) => Promise<Call>;
  /** The calls of a program with this token, from this address. */
  program: (token: string, ip: string) => Call;
  /** The receiver of the webhooks that work, and that of the failing one. */
  receivers: { working: Receiver; failing: Receiver };
  close: () => Promise<void>;
};

/** The address and the browser of people. */
export const browserOfPeople = {
  ip: '203.0.113.24',
  agent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
};

/** A moment of the story, such as `11-24 10:20`. */
export function timeOf(time: string): Date {
  return new Date(`2026-${time.replace(' ', 'T')}Z`);
}

export async function startInstallation(): Promise<Installation> {
  const worker = await startWorkerServer({
    environment: { TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  const receivers = { working: await startReceiver(), failing: await startReceiver() };
  const { origin } = worker.server;
  showPublicUrls(worker, receivers);
  let aheadMs = 0;

  return {
    worker,
    receivers,
    async setClock(time) {
      const wantedMs = timeOf(time).getTime() - Date.now();
      await worker.control.moveClock({ ms: wantedMs - aheadMs });
      aheadMs = wantedMs;
    },
    async person(email, account) {
      const cookies = await openSession(worker, { email });
      return callsWith(origin, {
        ...asDashboard(worker, cookies),
        'X-Dashboard-Client': `${browserOfPeople.ip} ${browserOfPeople.agent}`,
        'X-Dashboard-Account': account,
      });
    },
    program: (token, ip) =>
      callsWith(origin, { Authorization: `Bearer ${token}`, 'X-Forwarded-For': ip }),
    async close() {
      await worker.server.destroy();
      await worker.apiProxy.close();
      await receivers.working.close();
      await receivers.failing.close();
    },
  };
}

/** In what the dashboard reads, the receivers on this machine have the URLs of public servers. */
function showPublicUrls(
  { apiProxy }: WorkerServer,
  { working, failing }: Installation['receivers'],
): void {
  const toPublic = (text: string) =>
    text
      .replaceAll(
        new RegExp(`${working.url}/([a-z]+)`, 'g'),
        'https://$1.marlow-finch.example/webhooks',
      )
      .replaceAll(failing.url, 'https://crm.marlow-finch.example');
  apiProxy.respondTo('GET', /\/webhooks|\/deliveries/, async ({ pass }) => {
    const { body, ...response } = await pass();
    return { ...response, body: JSON.parse(toPublic(JSON.stringify(body))) as unknown };
  });
}

function callsWith(origin: string, headers: Record<string, string>): Call {
  return async <Data>(method: string, path: string, body?: object) => {
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data) as Data;
  };
}

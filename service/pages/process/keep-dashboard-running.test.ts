import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileCacheFolder } from '../../boot/compile-cache-folder.ts';
import { TestLog } from '../../testing/logger.ts';
import { readWholeRequest } from '../../network/whole-request.ts';
import { keepDashboardRunning } from './keep-dashboard-running.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const program = new URL('../../testing/processes/fake-dashboard.ts', import.meta.url);
const owner = new URL('../../testing/processes/dashboard-owner.ts', import.meta.url);
const settings = {
  publicUrl: 'http://localhost:1',
  apiBaseUrl: 'http://127.0.0.1:1',
  credential: 'credential',
  actionsKey: 'key',
  ownOrigin: 'http://127.0.0.1:1',
};

// The flags of a worker are meant for its tests: processes start faster without them.
const flags = process.execArgv;
beforeAll(() => {
  process.execArgv = [];
});
afterAll(() => {
  process.execArgv = flags;
});

// Each start of a process takes time, so most tests share one. A test that ends it waits until it
// has restarted, because the next test may set another folder for its socket.
let dashboard: Dashboard;
beforeAll(async () => {
  vi.stubEnv('SECRET_KEY', 'secret');
  vi.stubEnv('DATABASE_URL', 'postgres://secret@host/db');
  vi.stubEnv('METRICS_TOKEN_FILE', '/run/secrets/metrics-token');
  dashboard = await startDashboard({ firstPauseMs: 1000, maxWaitMs: patience.timeout });
  vi.unstubAllEnvs();
});
afterAll(() => dashboard.close());

describe('a process that runs', () => {
  test('gets no setting of the service, and the service writes its log', async () => {
    const { ask, log } = dashboard;
    const environment = (await (await ask('/environment')).json()) as Record<string, string>;
    expect(environment['PATH']).toBe(process.env['PATH']);
    expect(environment['NODE_COMPILE_CACHE']).toBe(compileCacheFolder);
    expect(Object.values(environment).join()).not.toContain('secret');
    expect(log.entries).toContainEqual(expect.objectContaining({ msg: 'starts' }));
  });

  test('gets complete requests and returns complete responses, without the headers of a connection', async () => {
    const { ask, log } = dashboard;
    const response = await ask('/page?a=b', {
      method: 'POST',
      body: 'form',
      headers: { 'x-asked': 'é' },
    });
    expect(response.status, JSON.stringify(log.entries)).toBe(418);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('connection')).not.toBe('close');
    expect(await response.text()).toBe('POST /page?a=b é form');
  });

  test.each(['GET', 'DELETE', 'OPTIONS', 'POST'])(
    'never reads the body of a %s that comes in chunks as another request',
    async (method) => {
      const { ask, origin } = dashboard;
      const before = await countAsked(ask);
      const within = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const sent = request(`${origin}/page`, {
        method,
        headers: { 'Transfer-Encoding': 'chunked' },
      }).end(within);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      expect(await text(response)).toBe(`${method} /page undefined ${within}`);
      expect(await countAsked(ask)).toBe(before + 2);
    },
  );

  test('can send response headers that are longer than request headers may be', async () => {
    const sent = request(`${dashboard.origin}/far`, { maxHeaderSize: 65_536 }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.headers.location).toHaveLength(40_001);
  });

  test('causes no warning in the service when it renders a page', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    await (await dashboard.ask('/page')).text();
    expect(warn.mock.calls).toEqual([]);
  });

  test('ends the request of a client that disconnects', async () => {
    const { ask, origin } = dashboard;
    const sent = request(`${origin}/never`).end();
    await once(sent, 'response');
    sent.on('error', () => undefined).destroy();
    await vi.waitFor(
      async () => expect(await (await ask('/last-gone')).text()).toBe('/never'),
      patience,
    );
  });
});

test('a process that has ended is started again, and requests wait for it', async () => {
  const { ask, log } = dashboard;
  log.expectErrors(/has ended: it is started again/);
  const before = await pidOf(ask);
  const untilEnded = nextEnd(log);
  expect((await ask('/exit')).status).toBe(503);
  await untilEnded();
  expect(await pidOf(ask)).not.toBe(before);
});

test('a response that breaks off breaks off at the client too', async () => {
  const { ask, log } = dashboard;
  log.expectErrors(/has ended: it is started again/);
  const untilEnded = nextEnd(log);
  await expect((await ask('/exit-in-the-middle')).text()).rejects.toThrow('terminated');
  await untilEnded();
  await pidOf(ask);
});

test('a process whose socket was removed is started again, and requests wait for it', async () => {
  const folder = ownTmpdir();
  const { ask, log } = await openDashboard();
  log.expectErrors(/socket .* was removed|has ended: it is started again/);
  const before = await pidOf(ask);
  // Its response closes the connection, so that the next request needs a new one.
  await (await ask('/page')).text();
  const [socketFolder] = await readdir(folder);
  await rm(join(folder, String(socketFolder)), { recursive: true });
  const pids = await Promise.all([pidOf(ask), pidOf(ask), pidOf(ask)]);
  expect(new Set(pids).size).toBe(1);
  expect(pids).not.toContain(before);
  expect(log.entries.filter(({ msg }) => msg.includes('socket'))).toHaveLength(1);
});

test('a process that hangs is killed and started again', async () => {
  const { ask, log } = await openDashboard({ pingEveryMs: 100 });
  log.expectErrors(/does not respond: it is ended|has ended: it is started again/);
  const before = await pidOf(ask);
  const untilEnded = nextEnd(log);
  expect((await ask('/hang')).status).toBe(503);
  await untilEnded();
  expect(await pidOf(ask)).not.toBe(before);
});

test('a process that hangs during its restart is killed, and started again', async () => {
  ownTmpdir();
  const { ask, log } = await openDashboard(
    { startTimeoutMs: 3000 },
    { ...settings, credential: 'hang at the second start' },
  );
  log.expectErrors(/has ended: it is started again|takes too long to start|did not start/);
  const before = await pidOf(ask);
  const untilEnded = nextEnd(log);
  await ask('/exit');
  await untilEnded();
  await vi.waitFor(async () => expect((await ask('/pid')).status).toBe(200), patience);
  expect(await pidOf(ask)).not.toBe(before);
  expect(log.entries.map(({ msg }) => msg).join()).toContain('takes too long to start');
}, 90_000);

test('requests wait for a process that is too busy to accept their connections', async () => {
  const folder = ownTmpdir();
  const { ask, received } = dashboard;
  const before = received();
  const busy = ask('/busy', { headers: { 'x-folder': folder } });
  await vi.waitFor(async () => expect(await readdir(folder)).toContain('busy'), patience);
  const count = 20;
  const pages = Array.from({ length: count }, async () => (await ask('/page')).status);
  await vi.waitFor(() => expect(received()).toBe(before + 1 + count), patience);
  await writeFile(join(folder, 'done'), '');
  expect((await busy).status).toBe(200);
  expect(await Promise.all(pages)).toEqual(Array.from({ length: count }, () => 418));
});

test('a process that hangs ends with a service that is killed', async () => {
  const service = startOwner();
  const port = await service.printed();
  const ask = async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`);
  const pid = Number(await pidOf(ask));
  onTestFinished(() => endIfAlive(pid));
  await ask('/hang-in-the-middle');
  await expect(service.kill()).resolves.toBeUndefined();
});

test.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  'a service that %s ends while the process starts leaves no folder behind',
  async (signal) => {
    const folder = ownTmpdir();
    const service = startOwner('start forever');
    expect(await service.printed()).toBe('starts');
    expect(await readdir(folder)).toHaveLength(1);
    await service.kill(signal);
    expect(await readdir(folder)).toEqual([]);
  },
);

test('a request that waits too long for the process is refused', async () => {
  const { ask, log } = await openDashboard({ maxWaitMs: 1, firstPauseMs: 600_000 });
  log.expectErrors(/has ended: it is started again/);
  const untilEnded = nextEnd(log);
  await ask('/exit');
  await untilEnded();
  expect((await ask('/page')).status).toBe(503);
});

test('for a client that disconnects while it waits for the process, no page is rendered', async () => {
  const { ask, log, origin, received, closed } = dashboard;
  log.expectErrors(/has ended: it is started again/);
  await pidOf(ask);
  const untilEnded = nextEnd(log);
  await ask('/exit');
  await untilEnded();
  const before = received();
  const sent = request(`${origin}/page`).end();
  await vi.waitFor(() => expect(received()).toBe(before + 1), patience);
  sent.on('error', () => undefined).destroy();
  await vi.waitFor(() => expect(closed()).toBe(before + 1), patience);
  await pidOf(ask);
  expect(await (await ask('/asked')).text()).toBe('2');
});

test('closing ends the process and removes its socket', async () => {
  const folder = ownTmpdir();
  const { ask, close } = await openDashboard();
  const pid = Number(await pidOf(ask));
  expect(await readdir(folder)).toHaveLength(1);
  await close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(await readdir(folder)).toEqual([]);
});

test('a first start that fails is an error', async () => {
  const { logger } = new TestLog();
  const refuse = () => undefined;
  const ending = { ...settings, credential: 'end immediately' };
  await expect(
    keepDashboardRunning({ settings: ending, refuse, log: logger, program }),
  ).rejects.toThrow('The process that renders the dashboard ended: code 1.');
});

type Pace = NonNullable<Parameters<typeof keepDashboardRunning>[0]['pace']>;
type Dashboard = Awaited<ReturnType<typeof startDashboard>>;

/** A dashboard that ends with the test. */
async function openDashboard(pace: Pace = {}, options = settings): Promise<Dashboard> {
  const own = await startDashboard(pace, options);
  onTestFinished(own.close);
  return own;
}

async function startDashboard(pace: Pace = {}, options = settings) {
  const log = new TestLog();
  const pages = await keepDashboardRunning({
    settings: options,
    refuse: (_request, response) => void response.writeHead(503).end(),
    log: log.logger,
    program,
    pace,
  });
  let received = 0;
  let closed = 0;
  /** Like the listener. */
  async function handleWhole(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readWholeRequest(asked, Infinity);
    if (typeof read === 'object') await pages.respond(read.whole, response);
  }
  const server = createServer((asked, response) => {
    received += 1;
    response.once('close', () => (closed += 1));
    // As many listeners as the service's listener and the limit of renders add, to a request behind
    // this one.
    for (let more = 0; more < 3; more += 1) response.once('close', () => undefined);
    void handleWhole(asked, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let isClosed = false;
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await pages.close();
    server.closeAllConnections();
    server.close();
    log.assertNoUnexpectedErrors();
  }
  return {
    log,
    origin,
    close,
    /** How many requests have arrived. */
    received: () => received,
    /** How many of them got a response or were given up. */
    closed: () => closed,
    ask: (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init),
  };
}

/** A process in place of the service, which can be killed like the service. */
function startOwner(credential = settings.credential) {
  const child = spawn(process.execPath, [fileURLToPath(owner), credential], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.pipe(process.stderr);
  return {
    /** The first output. */
    async printed(): Promise<string> {
      const [printed] = (await once(child.stdout, 'data')) as [Buffer];
      return printed.toString();
    },
    /**
     * Also waits for the end of the processes it started, which share its standard output or error.
     */
    async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      child.kill(signal);
      await once(child, 'close');
    },
  };
}

/** A folder for temporary files of this test, also for processes that it starts. */
function ownTmpdir(): string {
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended, as it should.
  }
}

const patience = { timeout: 60_000 };

/**
 * Call it before the act that ends the process. A request that reaches a process just as it ends is
 * refused; after the returned function has resolved, requests wait.
 */
function nextEnd(log: TestLog): () => Promise<void> {
  const count = () =>
    log.entries.filter(({ msg }) => msg.includes('has ended: it is started again')).length;
  const before = count();
  return async () => {
    await vi.waitFor(() => expect(count()).toBeGreaterThan(before), patience);
  };
}

/** How many requests the process has got, this one included. */
async function countAsked(ask: (path: string) => Promise<Response>): Promise<number> {
  return Number(await (await ask('/asked')).text());
}

async function pidOf(ask: (path: string) => Promise<Response>): Promise<string> {
  const response = await ask('/pid');
  expect(response.status).toBe(200);
  return await response.text();
}

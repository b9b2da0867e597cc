// Runs as a separate process, in place of a service that a test kills. It keeps `fake-dashboard.ts`
// running and prints the port on which requests reach it. Its argument is the dashboard's
// credential.
import { createServer } from 'node:http';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { keepDashboardRunning } from '../../pages/process/keep-dashboard-running.ts';
import { TestLog } from '../logger.ts';

const pages = await keepDashboardRunning({
  settings: {
    publicUrl: 'http://localhost:1',
    apiBaseUrl: 'http://127.0.0.1:1',
    credential: process.argv[2] ?? 'credential',
    actionsKey: 'key',
    ownOrigin: 'http://127.0.0.1:1',
  },
  refuse: (_request, response) => void response.writeHead(503).end(),
  log: new TestLog().logger,
  program: new URL('fake-dashboard.ts', import.meta.url),
});
const server = createServer((asked, response) => void pages.respond(asked, response));
process.stdout.write(String(await listenOnLoopback(server)));

// Runs in place of `run-dashboard.ts` in tests: it exchanges the same messages with the service,
// and its pages do what their paths say.
import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FromDashboard, ToDashboard } from '../../pages/process/messages.ts';

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToDashboard) => {
  if (message.type === 'ping') sendMessage({ type: 'pong' });
  else if (message.settings.credential === 'end immediately') process.exit(1);
  else if (message.settings.credential === 'start forever') process.stdout.write('starts');
  else if (message.settings.credential === 'hang at the second start' && isSecondStart()) hang();
  else {
    sendMessage({ type: 'log', line: `${JSON.stringify({ level: 30, msg: 'starts' })}\n` });
    createServer((...args) => void respond(...args)).listen(
      { path: message.socketPath, backlog: shortQueue },
      () => sendMessage({ type: 'ready' }),
    );
  }
});

/** Whether this is the second process with the same folder for temporary files. */
function isSecondStart(): boolean {
  const starts = join(tmpdir(), 'starts');
  appendFileSync(starts, '.');
  return statSync(starts).size === 2;
}

/** While the process is busy, fewer connections than a test opens can wait to be accepted. */
const shortQueue = 1;

let lastGone = '';
let asked = 0;

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked += 1;
  response.on('close', () => {
    if (!response.writableFinished) lastGone = request.url ?? '';
  });
  switch (String(request.url)) {
    case '/exit':
      process.exit(3);
      break;
    case '/exit-in-the-middle':
      response.write('begun', () => process.exit(3));
      break;
    case '/hang':
      hang();
      break;
    case '/hang-in-the-middle':
      response.write('begun', hang);
      break;
    case '/busy': {
      const folder = String(request.headers['x-folder']);
      writeFileSync(`${folder}/busy`, '');
      while (!existsSync(`${folder}/done`));
      response.end('done');
      break;
    }
    case '/never':
      response.write('begun');
      break;
    case '/far':
      response.writeHead(307, { Location: `/${'a'.repeat(40_000)}` }).end();
      break;
    case '/environment':
      response.end(JSON.stringify(process.env));
      break;
    case '/asked':
      response.end(String(asked));
      break;
    case '/last-gone':
      response.end(lastGone);
      break;
    case '/pid':
      response.end(String(process.pid));
      break;
    default:
      response.writeHead(418, { 'Set-Cookie': ['a=1', 'b=2'], Connection: 'close' });
      response.end(
        `${request.method} ${request.url} ${String(request.headers['x-asked'])} ${await text(request)}`,
      );
  }
}

/** Like an endless loop, but without using a processor. */
function hang(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function sendMessage(message: FromDashboard): void {
  process.send?.(message);
}

import { execFile, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { secretEnvName, signatureSnippet } from './signature-snippets.ts';

const run = promisify(execFile);
const key = randomBytes(32);
const env = { ...process.env, WEBHOOK_SECRET: `whsec_${key.toString('base64')}` };
const body = '{"type":"message.created","data":{"text":"Grüße, 你好 \\u0000"}}';
const input = { envName: 'WEBHOOK_SECRET', url: 'http://127.0.0.1:9' };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  await writeFile(join(folder, 'verify.mjs'), signatureSnippet('node', input));
  await writeFile(join(folder, 'verify.py'), signatureSnippet('python', input));
});
afterAll(() => rm(folder, { recursive: true }));

const nodeCall = `import { isGenuine } from './verify.mjs';
console.log(JSON.stringify(JSON.parse(process.argv[1]).map(([h, b]) => isGenuine(h, Buffer.from(b)))));`;

const pythonCall = `import json, sys; sys.path.insert(0, ".")
from verify import is_genuine
print(json.dumps([is_genuine(h, b.encode()) for h, b in json.loads(sys.argv[1])]))`;

const verifiers = {
  node: [process.execPath, ['--input-type=module', '-e', nodeCall]],
  python: ['python3', ['-c', pythonCall]],
} as const;

describe.each(['node', 'python'] as const)('the %s snippet', (language) => {
  const isMissing = language === 'python' && spawnSync('python3', ['--version']).status !== 0;

  test.skipIf(isMissing)('accepts what is signed and refuses what is not', async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = sign(`msg_1.${now}.${body}`, key);
    const cases: [verdict: boolean, what: string, headers: Record<string, string>, body: string][] =
      [
        [true, 'genuine', headers('msg_1', now, good), body],
        [true, 'second of two', headers('msg_1', now, `v1,${btoa('x'.repeat(32))} ${good}`), body],
        [true, 'beside another version', headers('msg_1', now, `v1a,abc ${good}`), body],
        [false, 'another body', headers('msg_1', now, good), `${body} `],
        [false, 'another id', headers('msg_2', now, good), body],
        [
          false,
          'another key',
          headers('msg_1', now, sign(`msg_1.${now}.${body}`, randomBytes(32))),
          body,
        ],
        [
          false,
          'too old',
          headers('msg_1', now - 400, sign(`msg_1.${now - 400}.${body}`, key)),
          body,
        ],
        [
          false,
          'too new',
          headers('msg_1', now + 400, sign(`msg_1.${now + 400}.${body}`, key)),
          body,
        ],
        ...['soon', '²', '٣', '-1', '1e3', ' ', '', '9'.repeat(5000), 'Infinity', '\ud800'].map(
          (odd): (typeof cases)[number] => [
            false,
            `the timestamp ${odd.slice(0, 9)}`,
            headers('msg_1', odd, sign(`msg_1.${odd}.${body}`, key)),
            body,
          ],
        ),
        [false, 'a signature of half a character', headers('msg_1', now, 'v1,\ud800'), body],
        [false, 'cut short', headers('msg_1', now, good.slice(0, 20)), body],
        [false, 'no signature', {}, body],
      ];
    const [command, args] = verifiers[language];
    const { stdout } = await run(
      command,
      [...args, JSON.stringify(cases.map(([, , sent, text]) => [sent, text]))],
      { env, cwd: folder },
    );
    const verdicts = JSON.parse(stdout) as boolean[];
    expect(Object.fromEntries(cases.map(([, what], index) => [what, verdicts[index]]))).toEqual(
      Object.fromEntries(cases.map(([verdict, what]) => [what, verdict])),
    );
  });
});

test('the node snippet takes a Headers object, and is not confused by a header that is called “get”', async () => {
  const now = Math.floor(Date.now() / 1000);
  const sent = headers('msg_1', now, sign(`msg_1.${now}.${body}`, key));
  const call = `import { isGenuine } from './verify.mjs';
const [headers, body] = JSON.parse(process.argv[1]);
const given = [new Headers(headers), { ...headers, get: 'x' }, new Headers(), { get: 'x' }];
console.log(JSON.stringify(given.map((each) => isGenuine(each, body))));`;
  const args = ['--input-type=module', '-e', call, JSON.stringify([sent, body])];
  const { stdout } = await run(process.execPath, args, { env, cwd: folder });
  expect(JSON.parse(stdout)).toEqual([true, true, false, false]);
});

test.each(['node', 'python'] as const)(
  'the %s snippet refuses to start without a secret',
  async (language) => {
    const [command, args] = verifiers[language];
    if (spawnSync(command, ['--version']).status !== 0) return;
    for (const secret of ['', 'whsec_']) {
      const started = run(command, [...args, '[]'], {
        env: { ...env, WEBHOOK_SECRET: secret },
        cwd: folder,
      });
      await expect(started).rejects.toThrow('Set WEBHOOK_SECRET.');
    }
  },
);

test.each(['node', 'python'] as const)(
  'docs/guides/webhook-receivers.md shows the %s code that the dashboard shows',
  async (language) => {
    const path = new URL('../../../docs/guides/webhook-receivers.md', import.meta.url);
    const snippet = signatureSnippet(language, { envName: secretEnvName, url: '' });
    expect(await readFile(path, 'utf8')).toContain(`\n${snippet}\n`);
  },
);

const hasShell = ['openssl', 'curl'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
);

test.skipIf(!hasShell)('the openssl snippet sends what the service would', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: text });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const script = signatureSnippet('openssl', { ...input, url: `http://127.0.0.1:${port}/in` });
  await run('sh', ['-c', script], { env: { ...env, no_proxy: '*' } });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));

  const sent = received[0];
  const id = String(sent?.headers['webhook-id']);
  const timestamp = String(sent?.headers['webhook-timestamp']);
  expect(received).toHaveLength(1);
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ type: 'webhook.test' });
  expect(sent?.headers['webhook-signature']).toBe(
    sign(`${id}.${timestamp}.${sent?.body ?? ''}`, key),
  );
});

function sign(signed: string, secretKey: Buffer): string {
  return `v1,${createHmac('sha256', secretKey).update(signed).digest('base64')}`;
}

function headers(id: string, timestamp: number | string, signature: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
}

import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback, unusedPort } from '#lib/testing/loopback.ts';
import { createClient } from '#packages/client/src/create-client.ts';
import type { Client } from '#packages/client/src/create-client.ts';
import { verifyWebhook } from '#packages/client/src/verify-webhook.ts';
import { reachesLoopback } from '../testing/delivery/sender.ts';
import { respond, startReceiver } from '../testing/delivery/receiver.ts';
import type { ReceivedRequest, Responder } from '../testing/delivery/receiver.ts';
import { startService } from '../testing/processes/service-process.ts';
import type { ServiceProcess } from '../testing/processes/service-process.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';
import { newToken } from '../tokens/token.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compilers = ['node_modules', 'tools/openapi-types/node_modules'].map(
  (folder) => `${root}${folder}/typescript/bin/tsc`,
);
const readme = readFileSync(`${root}packages/client/README.md`, 'utf8');
const run = promisify(execFile);
const token = newToken();

/** A project outside of the workspace, with the packed client. */
const project = useTemporaryFolder();
const serviceEnvironment = {
  ...reachesLoopback,
  DATA_DIR: useTemporaryFolder(),
  INIT_ADMIN_EMAIL: 'ida@example.com',
  INIT_ADMIN_PASSWORD: newToken(),
  INIT_API_KEY: token,
};
let service: ServiceProcess;

beforeAll(async () => {
  await installPackedClient();
  await writePrograms();
  service = await startService(serviceEnvironment);
});
afterAll(() => service.kill());

test.each(compilers)(
  'the package and the examples of its README pass strict checks by %s, as an ES module and as CommonJS',
  async (compiler) => {
    const checked = await run(process.execPath, [compiler, '-p', project]).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout).toBe('');
  },
);

test('CommonJS can require the package', async () => {
  const code = `const { createClient, verifyWebhook } = require('conversation-service-client');
    console.log(typeof createClient({ baseUrl: 'http://localhost', token: 'x' }).GET, typeof verifyWebhook);`;
  const { stdout } = await run(process.execPath, ['--eval', code], { cwd: project });
  expect(stdout.trim()).toBe('function function');
});

test('the example that calls the API opens a conversation and lists it', async () => {
  const { stdout } = await runProgram('readme-1.mjs');
  expect(stdout).toMatch(/^\d+ Where is order 1042\?$/m);
});

test('the example that receives webhooks accepts what the service signed with its secret, and refuses everything else', async () => {
  const { client, webhook, secret } = await createWebhook('message.created');
  const params = { path: { webhook } };
  const { url, lines } = await startExample({ MESSAGING_WEBHOOK_SECRET: secret });
  await client.PATCH('/api/v1/webhooks/{webhook}', { params, body: { url, is_active: true } });

  const forged = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    },
    body: '{}',
  });
  expect(forged.status).toBe(400);
  await runProgram('readme-1.mjs');
  expect((await lines.next()).value).toBe('It was due on Monday.');
});

test('after a 429 the client waits as long as Retry-After says, and after a lost response it sends the same key: one message is created', async () => {
  const between = await startReceiver();
  onTestFinished(() => between.close());
  between.respondWith(forward, respond(429, { 'Retry-After': '1' }), loseResponse, forward);
  const start = performance.now();
  const { stdout } = await runProgram('write-message.mjs', between.origin);
  expect(JSON.parse(stdout)).toEqual({ status: 201, texts: ['Only once'] });
  expect(performance.now() - start).toBeGreaterThan(1000);
  const [opening, ...writing] = between.requests
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['idempotency-key']);
  expect(writing).toEqual([expect.any(String), writing[0], writing[0]]);
  expect(writing[0]).not.toBe(opening);
});

describe('conversation-service listen', () => {
  test('forwards each event to a local server, which verifies it with the secret of the webhook, and loses none while the service starts again', async () => {
    const { client, webhook, secret } = await createWebhook('conversation.created');
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const url = await openDoor();
    const [, command = ''] = /^npx conversation-service (listen .*)$/m.exec(readme) ?? [];
    const here = command
      .replace('--webhook 1', `--webhook ${webhook}`)
      .replace('http://localhost:4000', receiver.origin);
    const { lines, output } = startListening([...here.split(' '), '--url', url]);
    expect((await lines.next()).value).toBe(`Forwarding to ${receiver.origin}`);
    await client.POST('/api/v1/conversations', { body: { subject: 'First' } });
    expect((await lines.next()).value).toMatch(
      /^\S+Z conversation\.created msg_\S+ → 204 \(\d+ ms\)$/,
    );

    await service.kill();
    service = await startService(serviceEnvironment);
    // Most often before the stream is open again.
    await createClient({ baseUrl: service.origin, token }).POST('/api/v1/conversations', {
      body: { subject: 'Second' },
    });
    await receiver.received(2);
    const subjects = receiver.requests.map(({ headers, body }) => {
      const event = verifyWebhook(headers, body, secret);
      return event.type === 'conversation.created' && event.data.conversation.subject;
    });
    expect(subjects).toEqual(['First', 'Second']);
    expect(output()).not.toContain(token);
  });

  test('continues after a receiver that was not running, and ends with Ctrl-C', async () => {
    const { client, webhook } = await createWebhook('conversation.created');
    const receiver = await startReceiver();
    const args = ['listen', '--webhook', String(webhook), '--to', receiver.origin];
    const { child, lines } = startListening(args);
    await lines.next();
    await receiver.close();
    await client.POST('/api/v1/conversations', { body: { subject: 'Missed' } });
    expect((await lines.next()).value).toMatch(
      / conversation\.created msg_\S+ → failed: .*ECONNREFUSED/,
    );
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await lines.next()).toMatchObject({ done: true });
  });

  const local = ['--webhook', '999999', '--to', 'http://127.0.0.1:4000/'];
  test.each([
    [
      'a server that is not on this machine',
      [...local, '--to', 'https://example.com/'],
      /add --allow-remote/,
    ],
    [
      'a server without a scheme',
      [...local, '--to', 'localhost:4000'],
      /^--to needs a URL such as/,
    ],
    [
      'a service without a scheme',
      [...local, '--url', 'localhost:3000'],
      /^The service needs a URL such as/,
    ],
    ['a webhook that does not exist', local, /responded with 404: \S/],
    [
      'a file without a token',
      [...local, '--token-file', '/missing'],
      /^The token cannot be read: ENOENT/,
    ],
    ['an unknown option', [...local, '--forever'], /^Unknown option '--forever'/],
    ['a call without a webhook', ['--to', 'http://127.0.0.1:4000/'], /^Usage: /],
  ])('refuses %s, and says why', async (_, args, message) => {
    expect(await refusalOf(args, token)).toMatch(message);
  });

  test('refuses a key that is wrong or has no right to streams, and a service of another kind', async () => {
    const client = createClient({ baseUrl: service.origin, token });
    const narrow = await client.POST('/api/v1/api-keys', {
      body: { name: 'Narrow', type: 'limited', scopes: ['webhooks:read'] },
    });
    expect(await refusalOf(local, newToken())).toMatch(/responded with 401: \S/);
    expect(await refusalOf(local, narrow.data?.data.token ?? '')).toMatch(
      /responded with 403: .*events:listen/,
    );
    const other = await startReceiver();
    onTestFinished(() => other.close());
    other.respondWith(respond(200, { 'Content-Type': 'text/html' }));
    expect(await refusalOf([...local, '--url', other.origin], token)).toMatch(/is another service/);
  });

  test('tries again while the service cannot be reached', async () => {
    const nobody = `http://127.0.0.1:${await unusedPort()}`;
    const { lines } = startListening(['listen', ...local, '--url', nobody]);
    for (let line = 0; line < 2; line += 1)
      expect((await lines.next()).value).toMatch(
        `Cannot reach ${nobody}, trying again: connect ECONNREFUSED`,
      );
  });

  test('explains its options', async () => {
    const { stdout } = await run(process.execPath, [bin(), '--help']);
    expect(stdout).toMatch(/^Usage: /);
  });

  /** What the command prints when it ends with an error. */
  async function refusalOf(args: string[], key: string): Promise<string> {
    const failure = await run(process.execPath, [bin(), 'listen', ...args], {
      cwd: project,
      env: { ...process.env, MESSAGING_API_KEY: key, MESSAGING_URL: service.origin },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(failure).toMatchObject({ code: 1 });
    return failure.stderr;
  }
});

const bin = () => join(project, 'node_modules/.bin/conversation-service');

/** An address that leads to the service, also after it started again on another port. */
async function openDoor(): Promise<string> {
  const sockets = new Set<Socket>();
  const door = createServer((inside) => {
    const outside = connect(Number(new URL(service.origin).port), '127.0.0.1');
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        inside.destroy();
        outside.destroy();
        sockets.delete(socket);
      });
    }
    inside.pipe(outside).pipe(inside);
  });
  const port = await listenOnLoopback(door);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await once(door.close(), 'close');
  });
  return `http://127.0.0.1:${port}`;
}

function startListening(args: string[]): {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  output: () => string;
} {
  const child = spawn(process.execPath, [bin(), ...args], {
    env: { ...process.env, MESSAGING_API_KEY: token, MESSAGING_URL: service.origin },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => stopChild(child));
  const printed: string[] = [];
  child.stdout.on('data', (text: Buffer) => printed.push(text.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, lines, output: () => printed.join('') };
}

/** An inactive webhook, with the secret that signs its events. */
async function createWebhook(
  type: 'message.created' | 'conversation.created',
): Promise<{ client: Client; webhook: number; secret: string }> {
  const client = createClient({ baseUrl: service.origin, token });
  const created = await client.POST('/api/v1/webhooks', {
    body: { name: 'Orders', url: 'http://127.0.0.1:4000/', events: [type], is_active: false },
  });
  const webhook = created.data?.data.id ?? 0;
  const regenerated = await client.POST('/api/v1/webhooks/{webhook}/regenerate-secret', {
    params: { path: { webhook } },
  });
  return { client, webhook, secret: regenerated.data?.data.secret ?? '' };
}

async function stopChild(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Passes a call on to the service, and its response back. */
const forward: Responder = async ({ request, response }) => {
  const { status, headers, body } = await send(request);
  response.writeHead(status, headers).end(body);
};

/** Passes a call on to the service, and loses the response. */
const loseResponse: Responder = async ({ request, socket }) => {
  await send(request);
  socket.destroy();
};

async function send({ method, path, headers, body }: ReceivedRequest): Promise<{
  status: number;
  headers: Record<string, string>;
  body: string;
}> {
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ),
    ...(method !== 'GET' && { body }),
  });
  return {
    status: response.status,
    headers: { 'Content-Type': 'application/json' },
    body: await response.text(),
  };
}

/** Packs the client and what it depends on, and installs these files without a registry. */
async function installPackedClient(): Promise<void> {
  const packages = join(project, 'packages');
  await mkdir(packages);
  const pack = ['pack', '--silent', '--pack-destination', packages];
  await run('npm', [...pack, '--workspace', 'packages/client'], { cwd: root });
  const dependencies = ['openapi-fetch', 'openapi-typescript-helpers'];
  const folders = dependencies.map((name) => `${root}node_modules/${name}`);
  await run('npm', [...pack, '--ignore-scripts', ...folders], { cwd: root });
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const files = (await readdir(packages)).map((file) => join(packages, file));
  expect(files).toHaveLength(3);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: project });
}

/** Writes the examples of the README and the programs of this test, and compiles them. */
async function writePrograms(): Promise<void> {
  const examples = Array.from(readme.matchAll(/^```ts\n([^]*?)^```$/gm), ([, code = '']) => code);
  expect(examples).toHaveLength(2);
  const programs: Record<string, string> = {
    'types.mts': programOfTypes,
    'types.cts': programOfTypes,
    'write-message.mts': writeMessage,
  };
  for (const [index, code] of examples.entries()) programs[`readme-${index + 1}.mts`] = code;
  for (const [name, code] of Object.entries(programs)) await writeFile(join(project, name), code);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [`${root}node_modules/@types`],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: false,
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await run(process.execPath, [compilers[0] ?? '', '-p', project]).catch(() => undefined);
}

const writeMessage = `
import { createClient } from 'conversation-service-client';

const client = createClient({
  baseUrl: 'http://localhost:3000',
  token: process.env.MESSAGING_API_KEY,
});
const opened = await client.POST('/api/v1/conversations', { body: { subject: 'Lost and found' } });
const conversation = opened.data?.data.id ?? 0;
const params = { path: { conversation } };
const path = '/api/v1/conversations/{conversation}/messages';
const { response } = await client.POST(path, {
  params,
  body: { author: 'contact', text: 'Only once' },
});
const { data } = await client.GET(path, { params });
console.log(JSON.stringify({ status: response.status, texts: data?.data.map(({ text }) => text) }));
`;

/** Runs a compiled program of the project with the key of the service. */
async function runProgram(name: string, origin = service.origin): Promise<{ stdout: string }> {
  return await run(process.execPath, [await withAddress(name, origin)], {
    cwd: project,
    env: { ...process.env, MESSAGING_API_KEY: token },
  });
}

/** The program with the address of this test in place of that of the documentation. */
async function withAddress(name: string, origin: string): Promise<string> {
  const text = readFileSync(join(project, name), 'utf8');
  const file = join(project, `running-${name}`);
  await writeFile(file, text.replace('http://localhost:3000', origin));
  return file;
}

/** Starts the receiver of the README, on a free port. */
async function startExample(
  environment: Record<string, string>,
): Promise<{ url: string; lines: AsyncIterator<string> }> {
  const file = join(project, 'running-receiver.mjs');
  const text = readFileSync(join(project, 'readme-2.mjs'), 'utf8');
  const listening = `.listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;
  await writeFile(file, text.replace('.listen(4000)', listening));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => stopChild(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  return { url: `http://127.0.0.1:${String(port)}/`, lines };
}

/**
 * A program has to pass only required fields, and can read every response. `@ts-expect-error` fails
 * the compilation if there is no error.
 */
const programOfTypes = `
import { createClient } from 'conversation-service-client';
import type { components } from 'conversation-service-client';

const client = createClient({ baseUrl: 'https://api.example.com', token: process.env['TOKEN'] });
const webhook = { path: { webhook: 4 } };
const apiKey = { path: { apiKey: '2f1c6a0e-8d0b-4d57-9a55-3b8d2d2c7e61' } };

export async function useEveryInput(): Promise<string> {
  const { data: made, error } = await client.POST('/api/v1/api-keys', {
    body: { name: 'Returns portal', type: 'webhook' },
  });
  if (!made) return 'error' in error ? error.error.code : error.message;
  const key: components['schemas']['NewApiKey'] = made.data;

  const { data: rotated } = await client.POST('/api/v1/api-keys/{apiKey}/rotate', { params: apiKey });
  const rotation = rotated?.data;
  const hook = await client.POST('/api/v1/webhooks', {
    body: { name: 'Orders', url: 'https://example.com/', events: ['message.created'] },
  });
  const active: boolean | undefined = hook.data?.data.is_active;
  const secret = await client.POST('/api/v1/webhooks/{webhook}/regenerate-secret', { params: webhook });
  await client.POST('/api/v1/webhooks/{webhook}/test', { params: webhook });
  await client.POST('/api/v1/webhooks/{webhook}/test', { params: webhook, body: {} });
  await client.POST('/api/v1/webhooks/{webhook}/replays', {
    params: webhook,
    body: { since: '2026-11-20T10:29:17+00:00', status: 'failed' },
  });
  await client.PATCH('/api/v1/webhooks/{webhook}', { params: webhook, body: { is_active: false } });
  await client.GET('/api/v1/webhooks');
  await client.GET('/api/v1/webhooks/{webhook}/statistics', { params: webhook });
  const deliveries = await client.GET('/api/v1/webhooks/{webhook}/deliveries', { params: webhook });
  const cursor: string | null | undefined = deliveries.data?.next_cursor;
  const keys = await client.GET('/api/v1/api-keys');
  await client.GET('/api/v1/conversations', { params: { query: { status: 'open' } } });
  await client.POST('/api/v1/conversations', { body: { subject: 'Where is it?' } });
  await client.GET('/api/v1/audit-log');
  await client.DELETE('/api/v1/webhooks/{webhook}', { params: webhook });
  await client.DELETE('/api/v1/api-keys/{apiKey}', { params: apiKey });

  // @ts-expect-error the type of a key is required
  await client.POST('/api/v1/api-keys', { body: { name: 'Returns portal' } });
  // @ts-expect-error no such field in the input
  const strange: components['schemas']['RevokeApiKeyInput'] = { because: 'It leaked' };
  await client.DELETE('/api/v1/api-keys/{apiKey}', { params: apiKey, body: strange });
  // @ts-expect-error no such event type
  await client.POST('/api/v1/webhooks', { body: { name: '', url: '', events: ['message'] } });
  // @ts-expect-error no such field in the response
  void keys.data?.data[0]?.token;

  const words = [key.token, key.last_four, active, secret.data?.data.secret, cursor];
  return [...words, rotation && 'token' in rotation ? rotation.token : ''].join(' ');
}
`;

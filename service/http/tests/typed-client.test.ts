import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateTypes } from '#tools/openapi-types/generate-types.ts';
import { openApiDocument } from '../openapi/openapi.ts';

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A client's project: types generated from the document, and a program that uses them. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typed-client-'));
  await symlink(installed, join(folder, 'node_modules'));
  await writeFile(join(folder, 'api.ts'), await generateTypes(JSON.stringify(openApiDocument())));
  const compilerOptions = {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
});
afterAll(() => rm(folder, { recursive: true }));

test('a program with generated types has to pass only required fields, and can read every response', async () => {
  expect(await problemsOf(program)).toBe('');
}, 60_000);

/** `@ts-expect-error` fails the compilation if there is no error. */
const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const client = createClient<paths>({ baseUrl: 'https://api.example.com' });
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

/** The compiler's messages about a program; empty if it is correct. */
async function problemsOf(text: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), text);
  const compiler = join(installed, 'typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
  return await run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

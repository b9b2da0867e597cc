import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import type { ApiDocument } from '#lib/docs/api-document.ts';
import { type RecordedAnswer, operationPages } from '#lib/docs/operation-page.ts';
import { type SampleCall, sampleOf, tokenVariable } from '#lib/docs/samples.ts';
import { createClient } from '#packages/client/src/create-client.ts';
import { openApiDocument } from '#service/http/openapi/openapi.ts';
import { itemsOf } from '#service/testing/api.ts';
import { ApiListener } from '#service/testing/http/api-listener.ts';
import type { Input } from '#service/testing/rights/rights-table.ts';
import { rightsTable } from '#service/testing/rights/rights-table.ts';
import { openRightsWorld, whoMay } from '#service/testing/rights/rights-world.ts';
import type { RightsWorld } from '#service/testing/rights/rights-world.ts';

/*
 * The samples of the reference, carried out as they are written, against a service on a port. With
 * RECORD_ANSWERS=1 (`npm run docs:answers`) it writes the responses that the reference shows.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = join(root, 'lib/docs/answers.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, RecordedAnswer>;
const isRecording = process.env['RECORD_ANSWERS'] === '1';
const document = openApiDocument() as unknown as ApiDocument;

const howToRecord = 'npm run docs:answers records it';
const run = promisify(execFile);
const hasPython = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0;
const listener = new ApiListener();
const answered: Record<string, RecordedAnswer> = {};
let world: RightsWorld;
beforeAll(async () => {
  world = await openRightsWorld();
  await listener.serve(world.ctx, world.api);
});
afterAll(async () => {
  await listener.close();
  await world.ctx.dispose();
  if (isRecording) writeFileSync(file, `${JSON.stringify(answered, null, 2)}\n`);
});

// Lists come last, so that they have items.
const routes = publicRoutes.toSorted((a, b) => Number(isList(a)) - Number(isList(b)));

describe.each(routes.map((route) => [route.name, route] as const))('%s', (name, route) => {
  test('the curl sample succeeds, with a response like the one that the reference shows', async () => {
    const { call, env } = await callOf(route);
    const options = call.isEndless ? '-si --max-time 2' : '-si';
    const { stdout } = await run('sh', ['-c', `${sampleOf('sh', call, listener.url)} ${options}`], {
      env,
    }).catch((error: { stdout: string }) => {
      // curl fails when it ends a response that would go on.
      if (call.isEndless) return error;
      throw error;
    });
    const [head = '', ...parts] = stdout.split('\r\n\r\n');
    const status = Number(head.split(' ')[1]);
    expect(Object.keys(route.response), stdout).toContain(String(status));
    const { method: _method, path: _path, isText: _isText, ...input } = call;
    const answer = shortened(read(parts.join('\r\n\r\n')));
    answered[name] = { ...input, status, answer };
    if (isRecording) return;
    const shown = recorded[name];
    expect(shown?.status, howToRecord).toBe(status);
    expect(shapeOf(shown?.body ?? null), howToRecord).toEqual(shapeOf(call.body ?? null));
    expect(shapeOf(shown?.answer), howToRecord).toEqual(shapeOf(answer));
  });

  test('the TypeScript sample succeeds', async () => {
    const { call, env } = await callOf(route);
    const code = sampleOf('ts', call, listener.url).replace(/^import .*\n/, '');
    const logged: unknown[] = [];
    await withEvent(route, env, async () => {
      await runInNewContext(`(async () => {${code}})()`, {
        createClient,
        process: { env },
        console: { log: (data: unknown) => logged.push(data) },
        TextDecoder,
      });
    });
    expect(logged.length).toBeGreaterThan(0);
  });

  test.skipIf(!hasPython)('the Python sample succeeds', async () => {
    const { call, env } = await callOf(route);
    const { stdout } = await withEvent(route, env, () =>
      run('python3', ['-c', sampleOf('python', call, listener.url)], { env }),
    );
    if (route.response[204] === undefined) expect(stdout.trim()).not.toBe('');
  });
});

test('the TypeScript samples have the types of the client', async () => {
  const folder = await mkdtemp(join(root, 'node_modules/.cache/samples-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const pages = operationPages(document, listener.url);
  await Promise.all(
    pages.map(({ name, samples }) => writeFile(join(folder, `${name}.ts`), samples.ts)),
  );
  const paths = { 'conversation-service-client': [join(root, 'packages/client/src/index.ts')] };
  const options = { paths, noEmit: true, rootDir: root };
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: options,
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const checked = await run(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(checked.stdout).toBe('');
});

test('every recorded answer is of an operation, and shows no whole token and no whole secret', () => {
  const shown = isRecording ? answered : recorded;
  expect(Object.keys(shown).toSorted()).toEqual(publicRoutes.map(({ name }) => name).toSorted());
  expect(JSON.stringify(shown)).not.toMatch(/(sk_live_|whsec_)[\w+/=-]{12}/);
});

/** Carries out a sample. The sample of a stream ends after an event, which happens once it is open. */
async function withEvent<Result>(
  route: RouteDefinition,
  env: NodeJS.ProcessEnv,
  carryOut: () => Promise<Result>,
): Promise<Result> {
  if (!route.isEndless) return await carryOut();
  const countOpened = async () => {
    const path = '/api/v1/audit-log?action=webhook.stream_opened';
    const { body } = await world.api.call('GET', path, { token: env[tokenVariable] ?? '' });
    return itemsOf({ body }).length;
  };
  const before = await countOpened();
  const happen = vi
    .waitUntil(async () => (await countOpened()) > before, { timeout: 30_000 })
    .then(() => world.things.event());
  const [result] = await Promise.all([carryOut(), happen]);
  return result;
}

function isList({ method, path, response }: RouteDefinition): boolean {
  return method === 'GET' && !path.endsWith('}') && response[204] === undefined;
}

/** A call of the operation, of things that exist, with the body that the OpenAPI document shows. */
async function callOf(
  route: RouteDefinition,
): Promise<{ call: SampleCall; env: NodeJS.ProcessEnv }> {
  const right = rightsTable.find(
    ({ name, route: of, outcomes }) =>
      of === route.name && outcomes['full API key'] === 'done' && !name.includes('dry run'),
  );
  const asker = right && whoMay(world, right);
  if (!right || !asker) throw new Error(`no key may call ${route.name}`);
  const input = await right.makeInput(world.things, asker);
  const example = document.paths[route.path]?.[route.method.toLowerCase()]?.requestBody?.content;
  const call = {
    method: route.method,
    path: route.path,
    isText: route.streams !== undefined,
    ...paramsOf(route, input),
    ...(route.isEndless && { isEndless: true }),
    ...(example && {
      body: namesThings.has(route.name) ? input.body : example['application/json']?.example,
    }),
  };
  const token = input.token ?? asker.token ?? '';
  return { call, env: { ...process.env, [tokenVariable]: token } };
}

/** Operations whose body names things of the account. */
const namesThings = new Set(['sendEvent']);

function paramsOf({ path }: RouteDefinition, { params = {} }: Input): Pick<SampleCall, 'params'> {
  const named = Object.entries(params).filter(([name]) => path.includes(`{${name}}`));
  if (named.length === 0) return {};
  const values = named.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]);
  return { params: Object.fromEntries(values) as Record<string, string | number> };
}

/** A body as JSON; an export, whose lines are JSON, as text; null for none. */
function read(text: string): unknown {
  if (text === '') return null;
  return text.startsWith('{"success"') ? JSON.parse(text) : text;
}

/** Tokens and secrets end early, and lists after one item, or an export after its first line. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const [line = ''] = value.split('\n');
    return line.replaceAll(/(sk_live_|whsec_)[\w+/=-]+/g, '$1…');
  }
  if (Array.isArray(value)) {
    const isOfObjects = value.some((item) => typeof item === 'object');
    return (isOfObjects ? value.slice(0, 1) : value).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]));
}

/** The fields of a body and the kinds of their values: what stays the same in other runs. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

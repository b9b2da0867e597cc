import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bomb, endless, respond, startReceiver } from '../../testing/delivery/receiver.ts';

const mebibyte = 1024 * 1024;

test.each([
  ['a gigabyte of zeros as gzip', bomb('gzip')],
  ['a gigabyte of zeros as Brotli', bomb('br')],
  ['a gigabyte of zeros as Zstandard', bomb('zstd')],
  ['a body without end', endless()],
] as const)('%s costs a sender no more than 64 MiB', async (_what, responder) => {
  const receiver = await startReceiver();
  onTestFinished(async () => await receiver.close());
  receiver.respondWith(({ request, ...exchange }) =>
    (request.path === '/big' ? responder : respond(200, {}, 'fine'))({ request, ...exchange }),
  );
  const measured = await run<{ kind: string; grownBytes: number }>([
    scriptAt('measure-memory.ts'),
    `${receiver.origin}/small`,
    `${receiver.origin}/big`,
  ]);
  expect(measured.kind).toBe('response_too_large');
  expect(measured.grownBytes).toBeLessThan(64 * mebibyte);
});

test('an attempt whose connection is refused leaves nothing in memory', async () => {
  const receiver = await startReceiver();
  await receiver.close();
  const measured = await run<{ kind: string; keptBytes: number }>([
    '--expose-gc',
    scriptAt('measure-kept-memory.ts'),
    receiver.origin,
  ]);
  expect(measured.kind).toBe('connection_refused');
  // A single object for each attempt, with what it refers to, would be more.
  expect(measured.keptBytes).toBeLessThan(100);
});

async function run<Measured>(args: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

function scriptAt(name: string): string {
  return fileURLToPath(new URL(`../../testing/processes/${name}`, import.meta.url));
}

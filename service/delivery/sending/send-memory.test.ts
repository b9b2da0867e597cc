import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { bomb, endless, respond, startReceiver } from '../../testing/delivery/receiver.ts';

const mebibyte = 1024 * 1024;

const bodies = [
  ['a gigabyte of zeros as gzip', bomb('gzip')],
  ['a gigabyte of zeros as Brotli', bomb('br')],
  ['a gigabyte of zeros as Zstandard', bomb('zstd')],
  ['a body without end', endless()],
] as const;

// Starting a process takes longer than sending: one receives all of them.
let measured: { kind: string; grownBytes: number }[];
beforeAll(async () => {
  const receiver = await startReceiver();
  receiver.respondWith(({ request, ...exchange }) => {
    const big = bodies.find((_body, index) => request.path === `/big/${index}`);
    return (big?.[1] ?? respond(200, {}, 'fine'))({ request, ...exchange });
  });
  measured = await run([
    scriptAt('measure-memory.ts'),
    `${receiver.origin}/small`,
    ...bodies.map((_body, index) => `${receiver.origin}/big/${index}`),
  ]);
  await receiver.close();
});

test.each(bodies.map(([what], index) => [what, index] as const))(
  '%s costs a sender no more than 64 MiB',
  (_what, index) => {
    expect(measured[index]?.kind).toBe('response_too_large');
    expect(measured[index]?.grownBytes).toBeLessThan(64 * mebibyte);
  },
);

test('an attempt whose connection is refused leaves nothing in memory', async () => {
  const receiver = await startReceiver();
  await receiver.close();
  const kept = await run<{ kind: string; keptBytes: number }>([
    '--expose-gc',
    scriptAt('measure-kept-memory.ts'),
    receiver.origin,
  ]);
  expect(kept.kind).toBe('connection_refused');
  // A single object for each attempt, with what it refers to, would be more.
  expect(kept.keptBytes).toBeLessThan(100);
});

async function run<Measured>(args: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

function scriptAt(name: string): string {
  return fileURLToPath(new URL(`../../testing/processes/${name}`, import.meta.url));
}

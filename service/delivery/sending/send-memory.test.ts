import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bomb, endless, respond, startReceiver } from '../../testing/delivery/receiver.ts';

const script = fileURLToPath(new URL('../../testing/processes/measure-memory.ts', import.meta.url));
const mebibyte = 1024 * 1024;

test.each([
  ['a gigabyte of zeros as gzip', bomb('gzip')],
  ['a gigabyte of zeros as Brotli', bomb('br')],
  ['a gigabyte of zeros as Zstandard', bomb('zstd')],
  ['a body without end', endless()],
] as const)('%s costs a sender no more than 64 MiB', async (_what, answer) => {
  const receiver = await startReceiver();
  onTestFinished(async () => await receiver.close());
  receiver.answer(({ request, ...exchange }) =>
    (request.path === '/big' ? answer : respond(200, {}, 'fine'))({ request, ...exchange }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    `${receiver.origin}/small`,
    `${receiver.origin}/big`,
  ]);
  const measured = JSON.parse(stdout) as { kind: string; grownBytes: number };
  expect(measured.kind).toBe('response_too_large');
  expect(measured.grownBytes).toBeLessThan(64 * mebibyte);
});

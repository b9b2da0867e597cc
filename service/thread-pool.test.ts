import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Reading an input that never comes holds a thread, as looking up a name that nobody answers does.
const program = `
  import '${fileURLToPath(new URL('thread-pool.ts', import.meta.url))}';
  import { read, stat } from 'node:fs';
  for (let held = 0; held < 8; held += 1) read(0, Buffer.alloc(1), () => {});
  stat('/', () => process.stdout.write('a thread is free'));`;

test('more than the usual four threads can wait at once, as for names that nobody answers', async () => {
  const { UV_THREADPOOL_SIZE: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout.once('data', () => child.stdin.end());
  expect(await text(child.stdout)).toBe('a thread is free');
});

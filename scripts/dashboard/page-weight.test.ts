import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { weighPages } from './page-weight.ts';

const chunks = new Map([
  ['frame.js', randomBytes(1000)],
  ['list.js', randomBytes(5000)],
  ['empty.js', Buffer.alloc(100_000)],
]);

function read(path: string): Buffer {
  const chunk = chunks.get(path);
  if (!chunk) throw new Error(`no such chunk: ${path}`);
  return chunk;
}

test('a page weighs what its chunks are once compressed, beside the frame alone', () => {
  const { shellBytes, pages } = weighPages(
    [
      { route: '/a/[account]/settings', firstLoadChunkPaths: ['frame.js'] },
      { route: '/a/[account]/settings/webhooks', firstLoadChunkPaths: ['frame.js', 'empty.js'] },
      { route: '/a/[account]/settings/api-keys', firstLoadChunkPaths: ['frame.js', 'list.js'] },
      { route: '/sign-in', firstLoadChunkPaths: ['list.js'] },
    ],
    read,
  );
  expect(shellBytes).toBeGreaterThan(1000);
  expect(pages.map(({ route }) => route)).toEqual([
    '/a/[account]/settings/api-keys',
    '/a/[account]/settings/webhooks',
  ]);
  expect(pages[0]?.bytes).toBeGreaterThan(6000);
  expect(pages[1]?.bytes).toBeLessThan(shellBytes + 1000);
});

test('statistics without settings pages are refused, not passed', () => {
  expect(() => weighPages([{ route: '/sign-in', firstLoadChunkPaths: [] }], read)).toThrow(
    'no settings page',
  );
});

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { heaviestBytes, judgeWeights, weighPages } from './page-weight.ts';

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

test('the weight of a page is that of its compressed chunks, and the frame is weighed separately', () => {
  const weights = weighPages(
    [
      { route: '/a/[account]/settings', firstLoadChunkPaths: ['frame.js'] },
      { route: '/a/[account]/settings/webhooks', firstLoadChunkPaths: ['frame.js', 'empty.js'] },
      { route: '/a/[account]/settings/api-keys', firstLoadChunkPaths: ['frame.js', 'list.js'] },
      { route: '/sign-in', firstLoadChunkPaths: ['list.js'] },
    ],
    read,
  );
  expect(weights.map(({ route }) => route)).toEqual([
    '/a/[account]/settings/api-keys',
    '/a/[account]/settings/webhooks',
    '/a/[account]/settings',
  ]);
  const [list, empty, frame] = weights.map(({ bytes }) => bytes);
  expect(frame).toBeGreaterThan(1000);
  expect(list).toBeGreaterThan(6000);
  expect(empty).toBeLessThan(2000);
});

test.each([
  ['only the sign-in page', [{ route: '/sign-in', firstLoadChunkPaths: [] }]],
  ['only the frame', [{ route: '/a/[account]/settings', firstLoadChunkPaths: [] }]],
])('statistics of %s are refused', (_, built) => {
  expect(() => weighPages(built, read)).toThrow('no settings page');
});

test.each([
  ['as heavy as recorded', 1000],
  ['5 % heavier', 1050],
  ['lighter', 10],
])('a page that is %s passes', (_, bytes) => {
  const [judged] = judgeWeights([{ route: 'page', bytes }], { page: 1000 });
  expect(judged?.fault).toBe('');
});

test.each([
  ['more than 5 % heavier', 'HEAVIER THAN RECORDED (1000 bytes)', 1051, { page: 1000 }],
  ['heavier than any may be', 'TOO HEAVY', heaviestBytes + 1, { page: heaviestBytes }],
  ['new', 'NOT RECORDED: npm run weigh -- --record', 1000, {}],
])('a page that is %s has the fault %s', (_, fault, bytes, recorded) => {
  expect(judgeWeights([{ route: 'page', bytes }], recorded)).toEqual([
    { route: 'page', bytes, fault },
  ]);
});

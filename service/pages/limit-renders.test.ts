import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { limitRenders } from './limit-renders.ts';

let closeAll: (() => void)[] = [];
afterEach(() => {
  for (const close of closeAll) close();
  closeAll = [];
});

test('a client that fills the queue keeps no other client from its turn', async () => {
  const limits = { maxConcurrent: 1, sharedQueue: 2, maxQueuedPerKey: 1 };
  const { ask, rendered, refused } = openPages(limits);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const [first, second] = ['a1', 'a2', 'a3', 'a4'].map((page) => ask(page, from('203.0.113.7')));
  ask('b1', from('2001:db8::1'));
  // Another address of the same subscriber.
  ask('b2', from('2001:db8::2'));
  expect(refused).toEqual(['a4', 'b2']);

  for (const rendering of [first, second]) {
    await nextTurn();
    rendering?.close();
  }
  await nextTurn();
  expect(rendered).toEqual(['a1', 'a2', 'b1']);
});

test('a request whose client left while it waited is not rendered, and another takes its turn', async () => {
  const { ask, rendered } = openPages({ maxConcurrent: 1, sharedQueue: 1 });
  const first = ask('a');
  const second = ask('b');
  await nextTurn();
  second.close();
  ask('c');
  first.close();
  await nextTurn();
  expect(rendered).toEqual(['a', 'c']);
});

test('a long download does not make others wait', async () => {
  const { ask, rendered } = openPages({ maxConcurrent: 1, sharedQueue: 1, countedMs: 1 });
  ask('download');
  ask('page');
  await vi.waitFor(() => expect(rendered).toEqual(['download', 'page']));
});

test('an action that Next forwards to another page does not wait for the page that waits for it', async () => {
  const { ask, rendered } = openPages({ maxConcurrent: 1, sharedQueue: 1 });
  ask('page');
  ask('its action', { 'x-action-forwarded': '1' });
  await nextTurn();
  expect(rendered).toEqual(['page', 'its action']);
});

function openPages(limits: Partial<NonNullable<Parameters<typeof limitRenders>[2]>>) {
  const rendered: unknown[] = [];
  const refused: unknown[] = [];
  const handle = limitRenders(
    async ({ url }) => void rendered.push(url),
    ({ url }) => void refused.push(url),
    {
      maxConcurrent: 1,
      sharedQueue: 0,
      maxQueuedPerKey: 0,
      maxQueued: 10,
      countedMs: minuteMs,
      ...limits,
    },
  );
  return {
    rendered,
    refused,
    ask: (url: string, headers: IncomingMessage['headers'] = {}) => {
      const response = Object.assign(new EventEmitter(), { closed: false });
      void handle({ url, headers } as IncomingMessage, response as unknown as ServerResponse);
      const close = () => {
        response.closed = true;
        response.emit('close');
      };
      closeAll.push(close);
      return { close };
    },
  };
}

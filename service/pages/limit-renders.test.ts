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

test('so many are rendered at once, and the others in the order in which they came', async () => {
  const { ask, rendered } = openPages({ atOnce: 2, waiting: 3, maxMs: minuteMs });
  const [first, second] = [ask('a'), ask('b'), ask('c'), ask('d'), ask('e')];
  await nextTurn();
  expect(rendered).toEqual(['a', 'b']);

  second?.close();
  await nextTurn();
  expect(rendered).toEqual(['a', 'b', 'c']);
  first?.close();
  await nextTurn();
  expect(rendered).toEqual(['a', 'b', 'c', 'd']);
});

test('one more than may wait is refused at once, and nothing of it begun', async () => {
  const { ask, rendered, refused } = openPages({ atOnce: 1, waiting: 1, maxMs: minuteMs });
  const first = ask('a');
  ask('b');
  ask('c');
  expect(refused).toEqual(['c']);

  await nextTurn();
  first.close();
  await nextTurn();
  expect(rendered).toEqual(['a', 'b']);
  ask('d');
  expect(refused).toEqual(['c']);
});

test('one that its client gave up while it waited is not rendered, and the next is', async () => {
  const { ask, rendered } = openPages({ atOnce: 1, waiting: 2, maxMs: minuteMs });
  const first = ask('a');
  const second = ask('b');
  ask('c');
  await nextTurn();
  second.close();
  first.close();
  await nextTurn();
  expect(rendered).toEqual(['a', 'c']);
});

test('a long download keeps nobody waiting', async () => {
  const { ask, rendered } = openPages({ atOnce: 1, waiting: 1, maxMs: 1 });
  ask('download');
  ask('page');
  await vi.waitFor(() => expect(rendered).toEqual(['download', 'page']));
});

test('an action that Next sends on to another page does not wait for the page that waits for it', async () => {
  const { ask, rendered } = openPages({ atOnce: 1, waiting: 1, maxMs: minuteMs });
  ask('page');
  ask('its action', { 'x-action-forwarded': '1' });
  await nextTurn();
  expect(rendered).toEqual(['page', 'its action']);
});

function openPages(room: Parameters<typeof limitRenders>[2]) {
  const rendered: unknown[] = [];
  const refused: unknown[] = [];
  const handle = limitRenders(
    async ({ url }) => void rendered.push(url),
    ({ url }) => void refused.push(url),
    room,
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

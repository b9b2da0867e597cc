import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { deleteOldResponses } from '../../domain/idempotency/claim-request.ts';
import { dataOf, detailsOf, itemsOf, nextCursorOf } from '../../testing/api.ts';
import type { ApiResponse } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();

describe('conversations', () => {
  test('are opened, and read back unchanged', async () => {
    const metadata = { channel: 'email', 'Order No.': '10 "42" \u{1F4E6}' };
    const response = await open({ subject: 'Where is my order?', contact: 'Ada', metadata });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        uuid: expect.any(String),
        subject: 'Where is my order?',
        contact: 'Ada',
        status: 'open',
        metadata,
        origin: { api_key_id: caller.id },
        created_at: ctx.clock.now().toISOString().replace('Z', '+00:00'),
        closed_at: null,
      },
    });
    const { id, uuid } = dataOf(response);
    for (const reference of [id, uuid]) {
      const again = await caller.get(`/api/v1/conversations/${reference}`);
      expect(again.text).toBe(response.text);
    }
  });

  test('are found by ids above 32 bits', async () => {
    await ctx.db.execute(sql`alter table conversations alter column id restart with 3000000000`);
    const { id } = dataOf(await open({ subject: 'One of many' }));
    expect(id).toBe(3_000_000_000);
    const path = `/api/v1/conversations/${id}`;
    const get = await caller.get(path);
    const written = await caller.post(`${path}/messages`, { author: 'agent', text: 'Here.' });
    expect([get.status, written.status, (await close(id, caller.token)).status]).toEqual([
      200, 201, 200,
    ]);
  });

  test.each([
    ['a joined emoji', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['Persian with a joiner', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a soft hyphen', 'Liefer\u00adverzug'],
    ['direction marks', '\u200eOrder\u200f \u061c1042'],
    ['a closed isolate', 'From \u2068\u05e9\u05dc\u05d5\u05dd\u2069 today'],
    ['a quarter of a thousand characters', '\u{1f600}'.repeat(255)],
  ])('keep %s in their subject and contact', async (_what, text) => {
    const response = await open({ subject: text, contact: text });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({ subject: text, contact: text });
  });

  test.each([
    ['tabs and line breaks', ' Re:\tOrder\r\n\u20281042\n', 'Re: Order 1042'],
    ['control characters', 'Or\u0000der\u0007 10\u008542\u007f', 'Order 10 42'],
    ['overrides of the direction', '\u202eevil\u202c \u202aleft', 'evil left'],
    ['isolates that are not closed', '\u2067a \u2068b\u2069', '\u2067a \u2068b\u2069\u2069'],
    ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ])('have no %s in their subject and contact', async (_what, sent, cleaned) => {
    const response = await open({ subject: sent, contact: sent });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({ subject: cleaned, contact: cleaned });
  });

  test('need a subject that is visible, and at most 255 characters after it is cleaned', async () => {
    for (const subject of ['', ' \n', '\u202e\u0000', '\u200d\u00ad', '\u2068']) {
      const missing = ['Enter a subject of 1 to 255 characters.'];
      expect(detailsOf(await open({ subject }))).toEqual({ subject: missing });
    }
    const longest = 'x'.repeat(255);
    expect((await open({ subject: `${longest}\n\u0000` })).status).toBe(201);
    for (const subject of [`${longest}x`, `\u2068${longest.slice(1)}`]) {
      expect(detailsOf(await open({ subject }))).toEqual({
        subject: ['Use at most 255 characters.'],
      });
    }
  });

  test('are listed newest first and paged through once each', async () => {
    const key = await (await api.account()).key();
    for (let made = 1; made <= 5; made += 1) await open({ subject: `No. ${made}` }, key.token);
    expect(await collect('/api/v1/conversations', key.token, 'subject')).toEqual([
      'No. 5',
      'No. 4',
      'No. 3',
      'No. 2',
      'No. 1',
    ]);
  });

  test('and their messages are filtered by contact and by time', async () => {
    const key = await (await api.account()).key();
    const old = dataOf(await open({ subject: 'Old', contact: 'Ada Byron' }, key.token));
    await write(old.id, { author: 'bot', text: 'Old' }, key.token);
    ctx.clock.advance(dayMs);
    const now = encodeURIComponent(ctx.clock.apiTime());
    await open({ subject: 'New', contact: 'Ada Byron' }, key.token);
    await open({ subject: 'Other' }, key.token);
    await write(old.id, { author: 'bot', text: 'New' }, key.token);
    const subjects = async (query: string) =>
      itemsOf(await list(query, key.token)).map(({ subject }) => subject);
    expect(await subjects('?contact=Ada+Byron')).toEqual(['New', 'Old']);
    expect(await subjects(`?contact=Ada+Byron&since=${now}`)).toEqual(['New']);
    expect(await subjects(`?until=${now}`)).toEqual(['Old']);
    const messages = `/api/v1/conversations/${old.id}/messages`;
    const texts = async (query: string) =>
      itemsOf(await key.get(messages + query)).map(({ text }) => text);
    expect(await texts(`?since=${now}`)).toEqual(['New']);
    expect(await texts(`?until=${now}`)).toEqual(['Old']);
  });

  test('are filtered by status', async () => {
    const key = await (await api.account()).key();
    const { id } = dataOf(await open({ subject: 'Done' }, key.token));
    await open({ subject: 'Going on' }, key.token);
    await close(id, key.token);
    const subjects = async (status: string) =>
      itemsOf(await list(`?status=${status}`, key.token)).map(({ subject }) => subject);
    expect(await subjects('open')).toEqual(['Going on']);
    expect(await subjects('closed')).toEqual(['Done']);
  });

  test('are closed once', async () => {
    const { id } = dataOf(await open({ subject: 'Short' }));
    const closed = await close(id);
    expect(closed.status).toBe(200);
    expect(dataOf(closed)).toMatchObject({ status: 'closed', closed_at: expect.any(String) });
    expect((await close(id)).status).toBe(422);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=ten', 'limit'],
    ['?status=spam', 'status'],
    ['?cursor=nonsense', 'cursor'],
    ['?cursor=aWQ6MA', 'cursor'],
  ])('listed with %s are refused at %s', async (query, field) => {
    const response = await list(query);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });
});

describe('messages', () => {
  test('are written, listed newest first and paged through once each', async () => {
    const { id } = dataOf(await open({ subject: 'Chat' }));
    const sent = { author: 'contact', text: 'Hello\n"there" ✋', metadata: { ticket: 'R-1' } };
    const response = await write(id, sent);
    expect(response.status).toBe(201);
    expect(dataOf(response)).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      conversation_id: id,
      author: 'contact',
      text: 'Hello\n"there" ✋',
      metadata: { ticket: 'R-1' },
      origin: { api_key_id: caller.id },
      sequence: 2,
      created_at: expect.any(String),
    });
    for (let made = 2; made <= 5; made += 1) {
      await write(id, { author: 'agent', text: `No. ${made}` });
    }
    expect(await collect(`/api/v1/conversations/${id}/messages`, caller.token, 'text')).toEqual([
      'No. 5',
      'No. 4',
      'No. 3',
      'No. 2',
      'Hello\n"there" ✋',
    ]);
  });

  test.each([
    ['no author', { text: 'x' }, 'author'],
    ['an unknown author', { author: 'ghost', text: 'x' }, 'author'],
    ['no text', { author: 'bot' }, 'text'],
    ['an empty text', { author: 'bot', text: '' }, 'text'],
    ['16,385 characters', { author: 'bot', text: 'x'.repeat(16_385) }, 'text'],
    ['half a surrogate pair', { author: 'bot', text: '\udc00' }, 'text'],
  ])('with %s are refused at that field', async (_what, body, field) => {
    const { id } = dataOf(await open({ subject: 'Chat' }));
    const response = await write(id, body);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test.each(['0000', '001b', '007f', '0085', '009b'])(
    'cannot hold the control character U+%s',
    async (code) => {
      const { id } = dataOf(await open({ subject: 'x' }));
      const text = `a${String.fromCharCode(Number.parseInt(code, 16))}b`;
      const response = await write(id, { author: 'agent', text });
      expect(response.status).toBe(422);
      expect(detailsOf(response)).toEqual({
        text: ['Remove control characters other than line breaks and tabs.'],
      });
    },
  );

  test('keep line breaks, tabs and spaces as they are', async () => {
    const { id } = dataOf(await open({ subject: 'x' }));
    const text = ' a\n\tb\r\n\u00a0';
    const response = await write(id, { author: 'agent', text });
    expect(dataOf(response)).toMatchObject({ text });
  });

  test('cannot be written once the conversation is closed', async () => {
    const { id } = dataOf(await open({ subject: 'Over' }));
    await close(id);
    const response = await write(id, { author: 'agent', text: 'One more thing' });
    expect(response.status).toBe(422);
    expect(detailsOf(response)['conversation']).toEqual([
      'This conversation is closed. Open a new one.',
    ]);
  });
});

describe('every change', () => {
  test('writes its event beside it, with a payload that is never empty or above 64 KiB', async () => {
    const own = await api.account();
    const key = await own.key();
    const closer = await own.key();
    const opened = { subject: `"\\✋'$&${'"'.repeat(90)}`, metadata: { "'$&": '"\\n' } };
    const conversation = dataOf(await open(opened, key.token));
    const text = '\n"\\'.repeat(5461);
    const message = dataOf(await write(conversation['id'], { author: 'bot', text }, key.token));
    const closed = dataOf(await close(conversation['id'], closer.token));

    const events = (await ctx.db.query.events.findMany()).filter(
      ({ accountId }) => accountId === own.id,
    );
    const payloads = events
      .toSorted((a, b) => a.id - b.id)
      .map(({ payload }) => JSON.parse(payload) as unknown);
    const { id, uuid, subject, status, metadata } = conversation;
    const origin = { api_key_id: key.id };
    expect(payloads).toEqual([
      {
        type: 'conversation.created',
        timestamp: expect.any(String),
        data: { conversation, origin, sequence: 1 },
      },
      {
        type: 'message.created',
        timestamp: expect.any(String),
        data: {
          message,
          conversation: { id, uuid, subject, status, metadata },
          origin,
          sequence: 2,
        },
      },
      {
        type: 'conversation.closed',
        timestamp: expect.any(String),
        data: { conversation: closed, origin: { api_key_id: closer.id }, sequence: 3 },
      },
    ]);
    for (const { payload } of events) {
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(65_536);
    }
  });

  test('is refused if its payload would be above 64 KiB', async () => {
    const own = await api.account();
    const key = await own.key();
    // As JSON nearly as large as metadata may be.
    const metadata = Object.fromEntries(
      Array.from({ length: 16 }, (_, pair) => [String(pair).padStart(4, 'n'), '"'.repeat(276)]),
    );
    const conversation = { subject: '\u{1F600}'.repeat(255), metadata };
    const { id } = dataOf(await open(conversation, key.token));
    const largest = [
      { text: '\u{1F600}'.repeat(13_500) },
      { text: '\u{1F600}'.repeat(13_372) + '"'.repeat(256) },
      { text: '\u{1F600}'.repeat(13_498), metadata: { a: '' } },
    ];
    for (const { text, ...rest } of largest) {
      const sent = { author: 'agent', ...rest };
      expect((await write(id, { ...sent, text }, key.token)).status).toBe(201);
      const response = await write(id, { ...sent, text: `${text}"` }, key.token);
      expect(response.status).toBe(422);
      expect(detailsOf(response)).toEqual({
        text: [
          'Use at most 54000 bytes in UTF-8, with the metadata. Quotes, backslashes, tabs and line breaks count as two bytes each. Write a longer text as several messages.',
        ],
      });
    }
    const events = (await ctx.db.query.events.findMany()).filter(
      ({ accountId }) => accountId === own.id,
    );
    expect(events).toHaveLength(1 + largest.length);
    for (const { payload } of events) {
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(65_536);
    }
  });

  test('that is refused writes none', async () => {
    const before = await ctx.db.query.events.findMany();
    const { id } = dataOf(await open({ subject: 'x' }));
    await close(id);
    await close(id);
    await write(id, { author: 'agent', text: 'late' });
    expect(await ctx.db.query.events.findMany()).toHaveLength(before.length + 2);
  });
});

describe('metadata', () => {
  test.each([
    ['17 pairs', Object.fromEntries(Array.from({ length: 17 }, (_, pair) => [`n${pair}`, 'x']))],
    ['a name of 41 characters', { ['n'.repeat(41)]: 'x' }],
    ['an empty name', { '': 'x' }],
    ['a name with square brackets', { 'a[0]': 'x' }],
    ['a value of 501 characters', { a: 'x'.repeat(501) }],
    ['a value that is no text', { a: 1 }],
    ['a value with a NUL', { a: '\u0000' }],
    ['half of a surrogate pair', { a: '\ud800' }],
    ['a list', ['x']],
    [
      'more than 9000 bytes',
      Object.fromEntries(Array.from({ length: 16 }, (_, pair) => [`n${pair}`, '✋'.repeat(250)])),
    ],
  ])('is refused with %s, on conversations and messages', async (_, metadata) => {
    const { id } = dataOf(await open({ subject: 'Chat' }));
    for (const response of [
      await open({ subject: 'Chat', metadata }),
      await write(id, { author: 'bot', text: 'x', metadata }),
    ]) {
      expect(response.status).toBe(422);
      expect(Object.keys(detailsOf(response)).every((field) => field.startsWith('metadata'))).toBe(
        true,
      );
    }
  });

  test('of 16 pairs with the longest names and values is stored', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 16 }, (_, pair) => [String(pair).padStart(40, 'n'), 'v'.repeat(500)]),
    );
    expect(dataOf(await open({ subject: 'Chat', metadata })).metadata).toEqual(metadata);
  });
});

describe('Idempotency-Key', () => {
  test('acts once for requests at the same time', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => open({ subject: 'At once' }, caller.token, 'parallel-1')),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  test('is refused with a request that cleaning would make equal', async () => {
    expect((await open({ subject: 'Order 1' }, caller.token, 'cleaned')).status).toBe(201);
    const other = await open({ subject: 'Order\t1' }, caller.token, 'cleaned');
    expect(Object.keys(detailsOf(other))).toEqual(['Idempotency-Key']);
  });

  test('belongs to one API key and one route, for 24 hours', async () => {
    const other = await account.key();
    const first = dataOf(await open({ subject: 'Mine' }, caller.token, 'shared'));
    expect(dataOf(await open({ subject: 'Theirs' }, other.token, 'shared'))['id']).not.toBe(
      first.id,
    );
    const message = await write(first.id, { author: 'bot', text: 'x' }, caller.token, 'shared');
    expect(message.status).toBe(201);
    ctx.clock.advance(dayMs);
    expect(dataOf(await open({ subject: 'Later' }, caller.token, 'shared'))['subject']).toBe(
      'Later',
    );
  });

  test('keeps its response for exactly 24 hours', async () => {
    const proceed = async () => true;
    await open({ subject: 'Kept' }, caller.token, 'kept-a-day');
    const isKept = async () =>
      (await ctx.db.query.idempotentResponses.findMany()).some(({ key }) => key === 'kept-a-day');
    ctx.clock.advance(86_399_000);
    await deleteOldResponses(ctx, proceed);
    expect(await isKept()).toBe(true);
    ctx.clock.advance(2000);
    await deleteOldResponses(ctx, proceed);
    expect(await isKept()).toBe(false);
  });

  test('stores nothing about a request that failed', async () => {
    const { id } = dataOf(await open({ subject: 'Try' }));
    expect(
      (await write(id, { author: 'bot', text: '' }, caller.token, 'after-failure')).status,
    ).toBe(422);
    expect(
      (await write(2_000_000_000, { author: 'bot', text: 'x' }, caller.token, 'f2')).status,
    ).toBe(404);
    expect((await write(id, { author: 'bot', text: 'x' }, caller.token, 'f2')).status).toBe(201);
  });
});

async function open(body: unknown, as = caller.token, key?: string): Promise<ApiResponse> {
  return await api.call('POST', '/api/v1/conversations', { token: as, body, headers: named(key) });
}

async function close(id: unknown, as = caller.token): Promise<ApiResponse> {
  return await api.call('POST', `/api/v1/conversations/${id}/close`, { token: as });
}

async function write(
  id: unknown,
  body: unknown,
  as = caller.token,
  key?: string,
): Promise<ApiResponse> {
  const path = `/api/v1/conversations/${id}/messages`;
  return await api.call('POST', path, { token: as, body, headers: named(key) });
}

async function list(query: string, as = caller.token): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/conversations${query}`, { token: as });
}

function named(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'Idempotency-Key': key };
}

/** One field of every item, read in pages of two. */
async function collect(path: string, as: string, field: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const response = await api.call('GET', `${path}?limit=2${query}`, { token: as });
    seen.push(...itemsOf(response).map((item) => item[field]));
    cursor = nextCursorOf(response);
  } while (cursor);
  return seen;
}

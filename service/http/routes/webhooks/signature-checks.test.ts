import { spawnSync } from 'node:child_process';
import { createHmac, createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignatureCheck } from '#lib/contract/deliveries/signature-checks.ts';
import {
  noSecretAdvice,
  signatureVerdicts,
  type SignatureVerdict,
} from '#lib/contract/deliveries/signature-verdicts.ts';
import { sampleDataOf } from '#lib/contract/events/events.ts';
import { keysOf } from '#lib/object-keys.ts';
import { webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { decideOutcome } from '../../../delivery/outcome/decide-outcome.ts';
import { createSender } from '../../../delivery/sending/send.ts';
import type { Sender } from '../../../delivery/sending/attempt.ts';
import { defaultLimits, workerPaces } from '../../../delivery/worker-pace.ts';
import { startWorker, type Worker } from '../../../delivery/worker.ts';
import { createMetrics } from '../../../metrics.ts';
import { dataOf, detailsOf, itemsOf, TestApi } from '../../../testing/api.ts';
import { eventually } from '../../../testing/delivery/delivery-worker.ts';
import { startReceiver } from '../../../testing/delivery/receiver.ts';
import type { ReceivedRequest, Receiver, Responder } from '../../../testing/delivery/receiver.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, owner, support, viewer, account } = useApi({
  config: { webhookAllowHttp: true, webhookAllowedCidrs: ['127.0.0.0/8'] },
});

let worker: Worker;
let sender: Sender;
beforeAll(() => {
  sender = createSender(ctx);
  worker = startWorker(ctx, {
    sender,
    decideOutcome,
    metrics: createMetrics(),
    pace: { ...workerPaces.pglite, sweepMs: 200 },
    limits: { ...defaultLimits, sockets: 64 },
  });
});
afterAll(async () => {
  await worker.stop();
  await sender.close();
});

/** A request that a receiver really got, and the secret it has. */
type Got = { headers: Record<string, string>; body: string; secret: string };

let receiver: Receiver;
let webhook: string;
let secret: string;
beforeEach(async () => {
  // The limit of checks is counted for a minute.
  ctx.clock.advance(60_000);
  receiver = await startReceiver();
  receiver.respondWith(respondAheadBy(0));
  ({ webhook, secret } = await addWebhook());
});
afterEach(async () => {
  await owner.delete(webhook);
  await receiver.close();
});

const known = new Set<SignatureVerdict>();

describe('code that computes the wrong signature is told which mistake it makes', () => {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const keyOf = (whole: string) => Buffer.from(whole.slice(6), 'base64');
  const sign = ({ headers: h, body, secret: whole }: Got, text = body) =>
    hmac(keyOf(whole), `${h['webhook-id']}.${h['webhook-timestamp']}.${text}`);
  const joined = (text: (id: string, time: string, body: string) => string) => (got: Got) =>
    hmac(
      keyOf(got.secret),
      text(got.headers['webhook-id'] ?? '', got.headers['webhook-timestamp'] ?? '', got.body),
    ).digest('base64');
  const object = (body: string) => JSON.parse(body) as Record<string, unknown>;

  const wrongCode: [verdict: SignatureVerdict, mistake: string, code: (got: Got) => string][] = [
    ['matches', 'none', (got) => sign(got).digest('base64')],
    ['matches', 'none, with the prefix of the header', (got) => `v1,${sign(got).digest('base64')}`],
    ['hex', 'digest("hex")', (got) => sign(got).digest('hex')],
    ['hex', 'as GitHub writes it', (got) => `sha256=${sign(got).digest('hex')}`],
    ['hex', 'base64 of hex', (got) => btoa(sign(got).digest('hex'))],
    ['wrong_base64', 'digest("base64url")', (got) => sign(got).digest('base64url')],
    [
      'wrong_algorithm',
      'SHA-512',
      ({ secret: whole, body }) => createHmac('sha512', keyOf(whole)).update(body).digest('base64'),
    ],
    ['not_a_signature', 'an error message', () => 'TypeError: key is undefined'],
    [
      'unexplained',
      'a hash without a key',
      ({ body }) => createHash('sha256').update(body).digest('base64'),
    ],
    [
      'secret_as_text',
      'the whole secret as text',
      (got) => hmac(got.secret, signedOf(got)).digest('base64'),
    ],
    [
      'secret_not_decoded',
      'the rest as text',
      (got) => hmac(got.secret.slice(6), signedOf(got)).digest('base64'),
    ],
    [
      'secret_with_prefix',
      'Buffer.from(secret, "base64")',
      (got) => hmac(Buffer.from(got.secret, 'base64'), signedOf(got)).digest('base64'),
    ],
    ['secret_empty', 'an unset variable', (got) => hmac('', signedOf(got)).digest('base64')],
    ['joined_wrongly', 'the body alone', joined((_id, _time, body) => body)],
    ['joined_wrongly', 'as Stripe joins', joined((_id, time, body) => `${time}.${body}`)],
    ['joined_wrongly', 'in another order', joined((id, time, body) => `${time}.${id}.${body}`)],
    ['joined_wrongly', 'without dots', joined((id, time, body) => id + time + body)],
    ['joined_wrongly', 'with colons', joined((id, time, body) => [id, time, body].join(':'))],
    ['joined_wrongly', 'echo', joined((id, time, body) => `${id}.${time}.${body}\n`)],
    [
      'joined_wrongly',
      'milliseconds',
      joined((id, time, body) => `${id}.${Number(time) * 1000}.${body}`),
    ],
    ['joined_wrongly', 'the UUID', joined((id, time, body) => `${id.slice(4)}.${time}.${body}`)],
    ['body_empty', 'a stream that was read already', joined((id, time) => `${id}.${time}.`)],
    [
      'body_object',
      'an object in a template',
      // oxlint-disable-next-line typescript/no-base-to-string -- this is the mistake
      joined((id, time, body) => `${id}.${time}.${String(object(body))}`),
    ],
    [
      'body_reserialized',
      'pretty',
      (got) => sign(got, JSON.stringify(object(got.body), null, 2)).digest('base64'),
    ],
  ];

  test.each(wrongCode)('%s: %s', async (verdict, _mistake, code) => {
    const got = await receive();
    const check = await run(owner, { ...got, signature: code(got) });
    expect(check).toMatchObject({ verdict, also: [], headers: [], body: null });
    // What it says needs no right: it takes the secret to compute any of these.
    if (verdict !== 'secret_empty') {
      expect(await run(viewer, { ...got, signature: code(got) })).toMatchObject({ verdict });
    }
  });

  const runtimes: [runtime: string, args: string[], code: string][] = [
    [
      'python3',
      ['-c'],
      'import json,sys; sys.stdout.write(json.dumps(json.loads(sys.stdin.buffer.read())))',
    ],
    [
      'python3',
      ['-c'],
      "import json,sys; sys.stdout.write(json.dumps(json.loads(sys.stdin.buffer.read()),separators=(',',':')))",
    ],
    ['python3', ['-c'], "import sys; sys.stdout.write(f'{sys.stdin.buffer.read()}')"],
    ['php', ['-r'], 'echo json_encode(json_decode(stream_get_contents(STDIN)));'],
    ['ruby', ['-rjson', '-e'], 'print JSON.pretty_generate(JSON.parse(STDIN.read))'],
  ];
  test.each(runtimes)(
    'a body that %s wrote again is recognized: %s %s',
    async (runtime, args, code) => {
      if (spawnSync(runtime, ['--version']).status !== 0) return;
      const got = await receive('Größe <M> & “L”/XL\n');
      const { stdout: text } = spawnSync(runtime, [...args, code], {
        input: got.body,
        encoding: 'utf8',
      });
      const verdict = text.startsWith("b'") ? 'body_object' : 'body_reserialized';
      const check = await run(viewer, { ...got, signature: sign(got, text).digest('base64') });
      expect(check).toMatchObject({ verdict, signed: expect.stringMatching(/Python|PHP|null, 2/) });
    },
  );

  test('two mistakes are both named', async () => {
    const got = await receive();
    const signature = hmac(got.secret, got.body).digest('hex');
    expect(await run(viewer, { ...got, signature })).toMatchObject({
      verdict: 'secret_as_text',
      also: ['joined_wrongly', 'hex'],
      signed: 'body',
    });
  });

  test('an older secret, a newer one and that of another webhook are told apart', async () => {
    const old = secret;
    const renewed = await owner.post(`${webhook}/regenerate-secret`, {
      grace_period_seconds: 3600,
    });
    const both = await receive();
    const signatureWith = (whole: string, got: Got) =>
      sign({ ...got, secret: whole }).digest('base64');
    expect(await run(viewer, { ...both, signature: signatureWith(old, both) })).toMatchObject({
      verdict: 'matches',
      secret: { valid_until: expect.any(String) },
    });
    ctx.clock.advance(3_600_000);
    const { secret: current } = dataOf<{ secret: string }>(renewed);
    const got = await receive();
    expect(await run(viewer, { ...got, signature: signatureWith(old, got) })).toMatchObject({
      verdict: 'older_secret',
      also: [],
    });
    expect(await run(viewer, { ...got, signature: signatureWith(current, got) })).toMatchObject({
      verdict: 'matches',
      secret: { valid_until: null },
    });
    const other = await addWebhook('Billing');
    expect(
      await run(viewer, { ...got, signature: signatureWith(other.secret, got) }),
    ).toMatchObject({
      verdict: 'other_webhook',
      secret: { webhook: { name: 'Billing' } },
    });
    await owner.delete(other.webhook);
    ctx.clock.advance(2000);
    const last = await owner.post(`${webhook}/regenerate-secret`, { grace_period_seconds: 0 });
    const { secret: newest } = dataOf<{ secret: string }>(last);
    expect(await run(viewer, { ...got, signature: signatureWith(newest, got) })).toMatchObject({
      verdict: 'newer_secret',
    });
    // Its secret is gone, and what was sent stays right.
    expect(await run(viewer, { ...got, signature: signatureWith(current, got) })).toMatchObject({
      verdict: 'matches',
      secret: null,
    });
  });
});

describe('what reached the code is compared with what was sent', () => {
  test('a body that something wrote again differs from a certain byte on', async () => {
    const got = await receive('Größe');
    const { timestamp, ...others } = JSON.parse(got.body) as Record<string, unknown>;
    const body = JSON.stringify({ ...others, timestamp });
    const check = await run(owner, { ...got, body });
    const at = '{"type":"message.created","t'.length;
    expect(check).toMatchObject({
      verdict: 'body_reserialized',
      body: {
        sent_bytes: Buffer.byteLength(got.body),
        pasted_bytes: Buffer.byteLength(body),
        difference: {
          at,
          from: at - 19,
          change: 'order',
          moved: { field: 'timestamp', behind: 'test' },
        },
      },
    });
    expect(check.body?.difference?.sent).toBe(got.body.slice(at - 19, at + 33));
    expect(check.body?.difference?.pasted).toBe(body.slice(at - 19, at + 33));
  });

  const bodies: [
    verdict: SignatureVerdict,
    change: string | null,
    body: (sent: string) => string,
  ][] = [
    ['as_sent', null, (sent) => sent],
    ['body_reserialized', 'white_space', (sent) => sent.replace(':', ': ')],
    ['body_reserialized', 'escapes', (sent) => sent.replace('ß', '\\u00df')],
    ['body_reserialized', 'numbers', (sent) => sent.replace(/"id":(\d+)/, '"id":$1.0')],
    ['body_white_space', null, (sent) => `${sent}\n`],
    ['body_encoding', null, (sent) => Buffer.from(sent).toString('latin1')],
    ['body_truncated', null, (sent) => sent.slice(0, 60)],
    ['body_empty', null, () => ' '],
    ['body_changed', null, (sent) => sent.replace('Größe', 'Groesse')],
    ['body_changed', null, () => '['.repeat(60_000)],
    ['body_changed', null, () => `${'['.repeat(60_000)}${']'.repeat(60_000)}`],
  ];
  test.each(bodies)('%s %s', async (verdict, change, bodyOf) => {
    const got = await receive('Größe');
    const check = await run(owner, { ...got, body: bodyOf(got.body) });
    expect(check).toMatchObject({ verdict, also: [] });
    expect(check.body?.difference?.change ?? null).toBe(change);
  });

  test('a body does not matter when the code verified the right one', async () => {
    const got = await receive();
    const signature = got.headers['webhook-signature'] ?? '';
    expect(await run(owner, { ...got, signature, body: 'as the log shows it' })).toMatchObject({
      verdict: 'matches',
      body: null,
    });
  });

  test('a header that a proxy changed or dropped is named', async () => {
    const got = await receive();
    const { 'webhook-id': id = '', ...others } = got.headers;
    for (const [name, headers] of [
      ['webhook-id', { ...others, 'webhook-id': id.toUpperCase() }],
      ['webhook-timestamp', { ...got.headers, 'webhook-timestamp': '1700000000' }],
      ['webhook-signature', { ...got.headers, 'webhook-signature': 'v1' }],
    ] as const) {
      expect(await run(viewer, { headers })).toMatchObject({
        verdict: 'header_changed',
        headers: [name],
      });
    }
    expect(await run(viewer, { headers: others })).toMatchObject({
      verdict: 'header_missing',
      headers: ['webhook-id'],
      delivery: null,
    });
    expect(await run(viewer, { headers: { 'webhook-id': id } })).toMatchObject({
      verdict: 'header_missing',
      headers: ['webhook-timestamp', 'webhook-signature'],
    });
  });

  test('a server whose clock is wrong is told so, and by how much only those who may read responses', async () => {
    receiver.respondWith(respondAheadBy(600_000));
    const got = await receive();
    const check = await run(owner, got);
    expect(check.verdict).toBe('clock');
    expect(check.clock_offset_seconds).toBeGreaterThan(590);
    expect(await run(viewer, got)).toMatchObject({ verdict: 'clock', clock_offset_seconds: null });
  });

  test('an attempt that has not ended is not recorded yet', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.respondWith(async ({ response }) => {
      await promise;
      response.end();
    });
    await owner.post(`${webhook}/test`, {});
    await receiver.received(1);
    expect(await run(viewer, gotFrom(receiver.requests[0]))).toMatchObject({
      verdict: 'not_sent',
      delivery: { attempt: null },
    });
    resolve();
  });

  test('only deliveries of this webhook count', async () => {
    const got = await receive();
    const other = await addWebhook();
    const elsewhere = await account.api.account();
    const stranger = await elsewhere.member('owner');
    const path = `${other.webhook}/signature-checks`;
    expect(dataOf(await viewer.post(path, { headers: got.headers }))).toMatchObject({
      verdict: 'no_delivery',
      delivery: null,
    });
    const refused = await stranger.post(`${webhook}/signature-checks`, { headers: got.headers });
    expect(refused.status).toBe(404);
    for (const id of ['', '1', 'msg_', `msg_${'0'.repeat(36)}`]) {
      const check = await run(viewer, { headers: { 'webhook-id': id } });
      expect(check.verdict).toBe('no_delivery');
    }
    await owner.delete(other.webhook);
  });
});

test('a webhook whose secret cannot be decrypted prevents no check of another one', async () => {
  const got = await receive();
  const broken = await addWebhook();
  const { id } = dataOf(await owner.get(broken.webhook));
  await ctx.db
    .update(webhookSecrets)
    .set({ sealed: Buffer.alloc(80, 1) })
    .where(eq(webhookSecrets.webhookId, id));
  expect(await run(viewer, { headers: got.headers, body: got.body })).toMatchObject({
    delivery: { attempt: 1 },
  });
  await owner.delete(broken.webhook);
});

describe('an attacker with a session learns nothing', () => {
  test('about the signature of content that they choose: whatever they paste, they get the same verdict', async () => {
    const got = await receive();
    const forged = JSON.stringify({ type: 'message.created', data: { text: 'Pay me.' } });
    const right = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${got.headers['webhook-id']}.${got.headers['webhook-timestamp']}.${forged}`)
      .digest('base64');
    const wrong = Buffer.alloc(32, 7).toString('base64');
    for (const by of [owner, viewer]) {
      const verdicts = await Promise.all(
        [right, wrong].map((signature) =>
          run(by, { headers: got.headers, body: forged, signature }),
        ),
      );
      // Even the right signature of other content is not recognized.
      expect(verdicts[0]).toEqual(verdicts[1]);
      expect(['body_changed', 'unexplained']).toContain(verdicts[0]?.verdict);
    }
    const chosenTime = await run(viewer, {
      headers: { ...got.headers, 'webhook-timestamp': '1' },
      signature: createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${got.headers['webhook-id']}.1.${got.body}`)
        .digest('base64'),
    });
    expect(chosenTime).toMatchObject({ verdict: 'header_changed', also: ['unexplained'] });
  });

  test('no response contains a signature or a secret', async () => {
    const got = await receive();
    const responses = await Promise.all(
      [got.body, 'x', undefined].map((body) =>
        owner.post(`${webhook}/signature-checks`, {
          headers: { 'webhook-id': got.headers['webhook-id'] },
          ...(body !== undefined && { body }),
          signature: 'A'.repeat(44),
        }),
      ),
    );
    const texts = responses.map(({ text }) => text).join('\n');
    expect(texts).not.toContain(got.headers['webhook-signature']?.slice(3) ?? '');
    expect(texts).not.toMatch(/whsec_|[A-Za-z0-9+/]{40}|[0-9a-f]{60}/);
  });

  test('about a body that they may not read, by guessing it', async () => {
    const got = await receive('yes');
    const guess = got.body.replace('yes', 'no');
    for (const by of [support, viewer]) {
      const [right, wrong] = await Promise.all(
        [got.body, guess].map((body) => run(by, { ...got, body })),
      );
      expect(right).toEqual(wrong);
      expect(right).toMatchObject({ verdict: 'as_sent', body: null });
      // With a key that everyone knows.
      const [known1, known2] = await Promise.all(
        [got.body, guess].map((body) =>
          run(by, {
            ...got,
            signature: createHmac('sha256', '')
              .update(signedOf({ ...got, body }))
              .digest('base64'),
          }),
        ),
      );
      expect(known1).toEqual(known2);
    }
  });

  test('by trying often', async () => {
    for (let count = 0; count < 30; count += 1) await run(support, { headers: {} });
    const refused = await support.post(`${webhook}/signature-checks`, { headers: {} });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit-Policy')).toContain('"signature-checks"');
    await run(owner, { headers: {} });
  });
});

test('nothing that is pasted is stored or logged, whatever the answer is', async () => {
  const got = await receive();
  const marker = 'PastedMarker7351';
  const texts = [
    { headers: { ...got.headers, 'webhook-signature': marker }, body: marker, signature: marker },
    { headers: { 'webhook-id': marker }, body: marker, signature: `whsec_${marker}` },
    { headers: { 'webhook-id': marker, cookie: marker }, body: marker },
    { headers: got.headers, body: marker.repeat(10_000) },
    { headers: got.headers, body: { marker } },
  ];
  const headers = { 'Idempotency-Key': 'signature-check' };
  const key = await account.key();
  const api = new TestApi(ctx);
  const statuses = [];
  for (const body of texts) {
    statuses.push((await owner.post(`${webhook}/signature-checks`, body)).status);
    const response = await api.call('POST', `${webhook}/signature-checks`, {
      body,
      headers,
      token: key.token,
    });
    statuses.push(response.status);
    if (response.status === 422) expect(response.text).not.toContain(marker);
  }
  await api.call('POST', `${webhook}/signature-checks`, {
    body: `{"headers": ${marker}`,
    headers,
    token: key.token,
  });
  expect(new Set(statuses)).toEqual(new Set([200, 422]));
  expect(JSON.stringify(ctx.logged)).not.toContain(marker);
  expect(await storedText()).not.toContain(marker);
  // What is searched does contain what was sent.
  expect(await storedText()).toContain(got.headers['webhook-id']);
  const entries = itemsOf<{ action: string }>(await owner.get('/api/v1/audit-log'));
  expect(entries.filter(({ action }) => /check/.test(action))).toEqual([]);
});

test('a signing secret is refused, and the response says what to do', async () => {
  const got = await receive();
  for (const [field, input] of [
    ['signature', { ...got, signature: secret }],
    ['body', { ...got, body: `{"secret":"${secret}"}` }],
    ['headers.webhook-signature', { headers: { ...got.headers, 'webhook-signature': secret } }],
  ] as const) {
    const { headers, body, signature } = input as Partial<Got> & { signature?: string };
    const response = await owner.post(`${webhook}/signature-checks`, { headers, body, signature });
    expect(Object.values(detailsOf(response)), field).toEqual([[noSecretAdvice]]);
  }
});

test('every verdict has a test', () => {
  expect(keysOf(signatureVerdicts).filter((verdict) => !known.has(verdict))).toEqual([]);
});

/** Checks, and asserts that nothing but the body decides who can call. */
async function run(
  by: Pick<typeof owner, 'post'>,
  { headers, body, signature }: { headers: object; body?: string; signature?: string },
): Promise<SignatureCheck> {
  const response = await by.post(`${webhook}/signature-checks`, {
    headers,
    // A test that computes a signature leaves the body out.
    ...(body !== undefined &&
      (signature === undefined || body !== receiver.requests.at(-1)?.body) && { body }),
    ...(signature !== undefined && { signature }),
  });
  expect(response.status, response.text).toBe(200);
  const check = dataOf<SignatureCheck>(response);
  for (const verdict of [check.verdict, ...check.also]) known.add(verdict);
  return check;
}

/** A receiver with a clock that is ahead of the service's. */
function respondAheadBy(ms: number): Responder {
  return ({ response }) => {
    const date = new Date(ctx.clock.now().getTime() + ms).toUTCString();
    response.writeHead(200, { Date: date }).end();
  };
}

async function addWebhook(name = 'Order notifier') {
  const created = dataOf(
    await owner.post('/api/v1/webhooks', {
      name,
      url: `${receiver.origin}/in`,
      events: ['conversation.closed'],
    }),
  );
  const path = `/api/v1/webhooks/${created.id}`;
  const shown = await owner.post(`${path}/regenerate-secret`, { grace_period_seconds: 0 });
  return { webhook: path, secret: dataOf<{ secret: string }>(shown).secret };
}

/** Has the service send a message, and returns the request as the receiver got it. */
async function receive(text = 'Where is my parcel?'): Promise<Got> {
  const before = receiver.requests.length;
  const sample = sampleDataOf('message.created');
  await owner.post(`${webhook}/test`, {
    type: 'message.created',
    data: { ...sample, message: { ...(sample['message'] as object), text } },
  });
  await receiver.received(before + 1);
  await eventually(async () => {
    const list = await owner.get(`${webhook}/deliveries`);
    return itemsOf(list).map(({ status }) => status);
  }).toEqual(Array.from({ length: before + 1 }, () => 'delivered'));
  return gotFrom(receiver.requests.at(-1));
}

function gotFrom(request: ReceivedRequest | undefined): Got {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return {
    headers: Object.fromEntries(names.map((name) => [name, String(request?.headers[name])])),
    body: request?.body ?? '',
    secret,
  };
}

function signedOf({ headers, body }: Got): string {
  return `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
}

/** Every row of every table, as text. */
async function storedText(): Promise<string> {
  const { rows: tables } = await ctx.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await ctx.db.execute(
        sql`select row_to_json(stored)::text as text from ${sql.identifier(name)} as stored`,
      );
      return JSON.stringify(rows);
    }),
  );
  return texts.join('\n');
}

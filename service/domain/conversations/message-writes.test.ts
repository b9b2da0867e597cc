import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '../../db/open.ts';
import { TestApi } from '../../testing/api.ts';
import { FailingDatabase } from '../../testing/databases/failing-database.ts';
import { logStatements } from '../../testing/databases/log-statements.ts';
import { addWebhook } from '../../testing/delivery/delivery-worker.ts';
import { useContext } from '../../testing/use-api.ts';
import type { PersonActor } from '../actor.ts';
import { closeConversation, createConversation } from './conversations.ts';
import { MessageWrites } from './message-writes.ts';

const ctx = useContext({ contextFor: 'test' });
let statements: string[];
let woken: number[][];
let messageWrites: MessageWrites;
beforeEach(async () => {
  statements = [];
  messageWrites = writesTo(logStatements(ctx.database, statements));
});

test('concurrent messages of several accounts are written together, each to its own conversation', async () => {
  const ours = await openConversation();
  const theirs = await openConversation();
  const { id: webhookId } = await addWebhook(ctx, ours.owner, { events: ['message.created'] });

  const written = await Promise.all(
    Array.from({ length: 12 }, (_, number) => write(number % 2 ? theirs : ours, `No. ${number}`)),
  );

  // The first message is written alone, and the others gather in the meantime.
  expect(statements).toHaveLength(3);
  expect(written.map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'inserted'));
  const rows = await ctx.db.query.messages.findMany({ orderBy: ({ id }) => id });
  expect(rows.map(({ text }) => text)).toEqual(written.map((_, number) => `No. ${number}`));
  expect(rows.map(({ accountId }) => accountId)).toEqual(
    rows.map((_, number) => (number % 2 ? theirs : ours).owner.accountId),
  );
  const payloads = (await ctx.db.query.events.findMany({ orderBy: ({ id }) => id }))
    .filter(({ type }) => type === 'message.created')
    .map(({ payload }) => JSON.parse(payload) as { data: unknown });
  expect(payloads.map(({ data }) => data)).toMatchObject(
    written.map((outcome, number) => ({
      message: outcome.kind === 'inserted' ? outcome.message : null,
      conversation: { uuid: (number % 2 ? theirs : ours).uuid },
    })),
  );
  const deliveries = await ctx.db.query.deliveries.findMany();
  expect(deliveries.map((delivery) => delivery.webhookId)).toEqual(
    Array.from({ length: 6 }, () => webhookId),
  );
  expect(woken).toEqual([[webhookId], [webhookId], []]);
});

test('a statement writes no more messages than its limit', async () => {
  const conversation = await openConversation();
  await Promise.all(Array.from({ length: 25 }, async () => await write(conversation)));
  expect(statements).toHaveLength(4);
  expect(await ctx.db.query.messages.findMany()).toHaveLength(25);
});

test('a slow statement does not delay the next one, and the number of concurrent statements is limited', async () => {
  const conversation = await openConversation();
  const { db } = ctx;
  const gates: PromiseWithResolvers<void>[] = [];
  const underWay = { now: 0, max: 0 };
  const execute = async (...args: Parameters<Db['execute']>) => {
    underWay.now += 1;
    underWay.max = Math.max(underWay.max, underWay.now);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    underWay.now -= 1;
    return await db.execute(...args);
  };
  messageWrites = writesTo(Object.assign(Object.create(db), { execute }) as Db, { patienceMs: 1 });

  const slow = write(conversation, 'No. 1');
  await expect.poll(() => gates.length).toBe(1);
  const next = write(conversation, 'No. 2');
  await expect.poll(() => gates.length).toBe(2);
  const waiting = write(conversation, 'No. 3');
  gates[1]?.resolve();
  await next;
  await expect.poll(() => gates.length).toBe(3);
  gates[2]?.resolve();
  await waiting;

  const rows = await ctx.db.query.messages.findMany({ orderBy: ({ id }) => id });
  expect(rows.map(({ text }) => text)).toEqual(['No. 2', 'No. 3']);
  expect(underWay.max).toBe(2);
  gates[0]?.resolve();
  await slow;
});

test('a message that cannot be written does not prevent the others of its group from being written', async () => {
  const open = await openConversation();
  const closed = await openConversation();
  await closeConversation(ctx, closed.owner, { conversation: closed.uuid });
  const outcomes = await Promise.all([
    write(open),
    write(open),
    write(closed),
    write({ ...open, uuid: '00000000-0000-4000-8000-000000000000' }),
    write({ ...open, owner: closed.owner }),
    write(open),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    'inserted',
    'inserted',
    'closed',
    'not found',
    'not found',
    'inserted',
  ]);
  expect(await ctx.db.query.messages.findMany()).toHaveLength(3);
});

test('if the database refuses a message, the others of its group are written by separate statements', async () => {
  const conversation = await openConversation();
  await ctx.db.execute(
    sql`alter table messages add constraint refused check (text <> 'Not this one')`,
  );
  const texts = ['No. 1', 'No. 2', 'No. 3', 'Not this one', 'No. 5'];

  const outcomes = await Promise.allSettled(texts.map((text) => write(conversation, text)));

  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  const rows = await ctx.db.query.messages.findMany();
  expect(rows.map(({ text }) => text).toSorted()).toEqual(['No. 1', 'No. 2', 'No. 3', 'No. 5']);
});

test('only messages of accounts whose webhooks have filters need more than one statement, and are written together as well', async () => {
  const filtered = await openConversation();
  const plain = await openConversation();
  const filter = { '==': [{ var: 'data.message.text' }, 'No. 1'] };
  const events = ['message.created' as const];
  const { id } = await addWebhook(ctx, filtered.owner, { events, filter });
  await write(plain);
  expect(statements).toHaveLength(1);
  statements.length = 0;
  const texts = ['No. 0', 'No. 1', 'No. 2', 'No. 3'];
  await Promise.all(texts.map((text) => write(filtered, text)));
  // For the first message and then for the other three: one that finds the filter, one that writes
  // the messages, and what the filter lets through and leaves out.
  expect(statements).toHaveLength(3 + 4);
  expect(woken.flat()).toEqual([id]);
});

test('a message whose filtered event cannot be recorded is not written, and those of other accounts are', async () => {
  const filtered = await openConversation();
  const plain = await openConversation();
  const filter = { '==': [{ var: 'type' }, 'conversation.closed'] };
  await addWebhook(ctx, filtered.owner, { events: ['message.created'], filter });
  await ctx.db.execute(sql`alter table events add constraint refused check (filtered_out is null)`);
  const outcomes = await Promise.allSettled(
    [plain, filtered, plain, filtered].map((each) => write(each)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  const left = await ctx.db.query.events.findMany();
  expect(left.filter(({ accountId }) => accountId === filtered.owner.accountId)).toHaveLength(1);
  expect(await ctx.db.query.messages.findMany()).toHaveLength(2);
});

test('nothing is written twice if it is unknown whether the database wrote it', async () => {
  const conversation = await openConversation();
  const database = new FailingDatabase(ctx.db);
  database.fails = () => 'answer_lost';
  messageWrites = writesTo(database.db);
  const texts = ['No. 1', 'No. 2', 'No. 3', 'No. 4'];

  const outcomes = await Promise.allSettled(texts.map((text) => write(conversation, text)));

  expect(outcomes.map(({ status }) => status)).toEqual(texts.map(() => 'rejected'));
  const rows = await ctx.db.query.messages.findMany();
  expect(rows.map(({ text }) => text).toSorted()).toEqual(texts);
});

type OpenConversation = { owner: PersonActor; uuid: string };

/** A conversation in an account of its own. */
async function openConversation(): Promise<OpenConversation> {
  const owner = await (await new TestApi(ctx).account()).member('owner');
  const { uuid } = await createConversation(ctx, owner, { subject: 'x', idempotencyKey: null });
  return { owner, uuid };
}

async function write({ owner, uuid }: OpenConversation, text = 'Hello') {
  return await messageWrites.write({
    accountId: owner.accountId,
    conversation: { kind: 'uuid', uuid },
    event: { uuid: randomUUID(), traceParent: null },
    author: 'agent',
    text,
    metadata: {},
    apiKeyId: null,
    now: ctx.clock.now(),
  });
}

function writesTo(db: Db, { patienceMs = 60_000 } = {}): MessageWrites {
  woken = [];
  return new MessageWrites({
    db,
    laneNotifier: { queue: (webhookIds) => woken.push([...webhookIds]) },
    limits: { maxMessages: 10, patienceMs, maxConcurrent: 2 },
  });
}

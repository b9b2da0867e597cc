import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import { bootContext } from '../../boot/boot-context.ts';
import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { Context } from '../../context.ts';
import { openDatabase } from '../../db/open.ts';
import { decideOutcome } from '../../delivery/outcome/decide-outcome.ts';
import { createSender } from '../../delivery/sending/send.ts';
import type { SenderOptions } from '../../delivery/sending/send.ts';
import { startWorker } from '../../delivery/worker.ts';
import { defaultLimits, workerPaces } from '../../delivery/worker-pace.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { createConversation } from '../../domain/conversations/conversations.ts';
import { createMessage } from '../../domain/conversations/messages.ts';
import { publishEvent } from '../../domain/events/publish-event.ts';
import { changedLanesPrefix, lanesDueMessage, laneChannel } from '../../domain/lanes/channel.ts';
import { createWebhook } from '../../domain/webhooks/create-webhook.ts';
import { createLogger } from '../../log/log.ts';
import { TestAccount, TestApi } from '../../testing/api.ts';
import { createPostgresDatabase } from '../../testing/databases/postgres-database.ts';
import { addAccount } from '../../testing/records/people.ts';
import { reachesLoopback } from '../../testing/delivery/sender.ts';
import type { Engine } from '../rows.ts';
import { payloadOf } from './payload.ts';
import type { ConversationEvent } from './payload.ts';

/** The engines that this run can measure. */
export const engines: readonly Engine[] = process.env['TEST_DATABASE_URL']
  ? ['pglite', 'postgresql']
  : ['pglite'];

/** The parts of a service on a new database, without HTTP. */
export type Installation = {
  ctx: Context;
  addAccount(): Promise<BenchAccount>;
  /**
   * Starts a worker. `stop` waits until every result is written, and returns how many deliveries
   * only the sweep found.
   */
  startWorker(sending?: Partial<SenderOptions>): { stop(): Promise<{ repaired: number }> };
  /** Analyzes all tables thoroughly, as in a database that has been in use for a while. */
  analyze(): Promise<void>;
  close(): Promise<void>;
};

export async function openInstallation(engine: Engine): Promise<Installation> {
  const log = createLogger({ level: 'error', isPretty: false });
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const server = engine === 'postgresql' ? await createPostgresDatabase() : null;
  const config = loadConfig({
    ...reachesLoopback,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...(server && { DATABASE_URL: server.url }),
  });
  const database = await openDatabase({ config, log });
  const ctx = await bootContext({ config, database, clock: systemClock, log });

  return {
    ctx,
    async addAccount() {
      const account = new TestAccount(new TestApi(ctx), await addAccount(ctx));
      return new BenchAccount(ctx, await account.member('owner'));
    },
    startWorker(sending = {}) {
      const sender = createSender(ctx, sending);
      let repaired = 0;
      const worker = startWorker(
        { ...ctx, db: ctx.workerDb },
        {
          sender,
          decideOutcome,
          metrics: {
            countAttempt: () => undefined,
            countRepaired: (deliveries) => (repaired += deliveries),
          },
          pace: workerPaces[engine],
          limits: { ...defaultLimits, sockets: config.webhookMaxSockets },
        },
      );
      return {
        async stop() {
          await worker.stop();
          await sender.close();
          return { repaired };
        },
      };
    },
    async analyze() {
      await ctx.db.execute(sql`analyze`);
    },
    async close() {
      await ctx.laneNotifier.idle();
      await ctx.limiter.close();
      await ctx.mail.close();
      await database.close();
      await server?.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** An account whose webhooks all receive every event of it. */
export class BenchAccount {
  readonly #ctx: Context;
  readonly #actor: PersonActor;
  readonly #webhookIds = new Map<EventType, number[]>([
    ['conversation.closed', []],
    ['conversation.created', []],
    ['message.created', []],
  ]);
  #conversation: string | null = null;

  constructor(ctx: Context, actor: PersonActor) {
    this.#ctx = ctx;
    this.#actor = actor;
  }

  async addWebhook(url: string, kind: EventType = 'conversation.closed'): Promise<void> {
    const { id } = await createWebhook(this.#ctx, this.#actor, {
      name: 'Sink',
      url,
      events: [kind],
      is_active: true,
    });
    this.#webhookIds.get(kind)?.push(id);
  }

  /** Writes a message with this number as its text. All messages are in one conversation. */
  async writeMessage(number: number): Promise<void> {
    this.#conversation ??= await this.#openConversation();
    await createMessage(this.#ctx, this.#actor, {
      conversation: this.#conversation,
      author: 'contact',
      text: String(number),
      idempotencyKey: null,
    });
  }

  async #openConversation(): Promise<string> {
    const { uuid } = await createConversation(this.#ctx, this.#actor, {
      subject: 'Messages of a bench',
      idempotencyKey: null,
    });
    return uuid;
  }

  /**
   * Publishes one event as most verbs do: in a transaction, with its lanes woken after the
   * commit.
   */
  async publish(number: number, kind?: ConversationEvent): Promise<void> {
    const webhookIds = await this.#ctx.db.transaction((tx) =>
      publishEvent(tx, {
        accountId: this.#actor.accountId,
        now: this.#ctx.clock.now(),
        event: payloadOf(number, kind),
      }),
    );
    this.#ctx.laneNotifier.queue(webhookIds);
  }

  /**
   * Adds events of closed conversations whose deliveries are due, without notifying a worker;
   * `wake` does that.
   */
  async addBacklog(events: number): Promise<void> {
    const { accountId } = this.#actor;
    const now = this.#ctx.clock.now().toISOString();
    const payload = JSON.stringify({ timestamp: now, ...payloadOf(0) });
    await this.#ctx.db.execute(sql`
      with made as (
        insert into events (account_id, uuid, type, conversation_id, payload, created_at)
        select ${accountId}::uuid, gen_random_uuid(), 'conversation.closed', 51, ${payload}::text,
          ${now}::timestamptz
        from generate_series(1, ${events}::int)
        returning id
      )
      insert into deliveries
        (account_id, webhook_id, event_id, event_type, status, due_at, created_at)
      select ${accountId}::uuid, webhook_id, made.id, 'conversation.closed', 'pending',
        ${now}::timestamptz, ${now}::timestamptz
      from made, json_array_elements_text(${JSON.stringify(this.#closing)}::json) as hooks (hook),
        cast(hook as int) as webhook_id`);
  }

  async wake(): Promise<void> {
    this.#ctx.laneNotifier.queue(this.#closing);
    await this.#ctx.laneNotifier.idle();
  }

  /** Pauses or resumes the lanes of the webhooks that receive closed conversations. */
  async setPaused(isPaused: boolean): Promise<void> {
    const ids = JSON.stringify(this.#closing);
    await this.#ctx.db.execute(sql`
      update lanes set is_paused = ${isPaused}
      where webhook_id in (select value::int from json_array_elements_text(${ids}::json))`);
    const message = isPaused ? `${changedLanesPrefix}${this.#closing.join(',')}` : lanesDueMessage;
    await this.#ctx.notifier.publish(laneChannel, message);
  }

  get #closing(): readonly number[] {
    return this.#webhookIds.get('conversation.closed') ?? [];
  }
}

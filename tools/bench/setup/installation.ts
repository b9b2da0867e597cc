import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { bootContext } from '#service/boot/boot-context.ts';
import { systemClock } from '#service/clock.ts';
import { loadConfig } from '#service/config/load-config.ts';
import { openDatabase } from '#service/db/open.ts';
import { decideOutcome } from '#service/delivery/outcome/decide-outcome.ts';
import { createSender } from '#service/delivery/sending/send.ts';
import { defaultLimits, workerPaces } from '#service/delivery/worker-pace.ts';
import { startWorker } from '#service/delivery/worker.ts';
import { createConversation } from '#service/domain/conversations/conversations.ts';
import { createMessage } from '#service/domain/conversations/messages.ts';
import { createWebhook } from '#service/domain/webhooks/create-webhook.ts';
import { createLogger } from '#service/log/log.ts';
import { TestAccount, TestApi } from '#service/testing/api.ts';
import { createPostgresDatabase } from '#service/testing/databases/postgres-database.ts';
import { reachesLoopback } from '#service/testing/delivery/sender.ts';
import { newToken } from '#service/tokens/token.ts';
import { addAccount } from '#service/testing/records/people.ts';
import type { Engine } from '../measure.ts';

/** Opens the parts of a service on a new database, without HTTP. */
export async function openInstallation(engine: Engine) {
  const log = createLogger({ level: 'error', isPretty: false });
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const server = engine === 'postgresql' ? await createPostgresDatabase() : null;
  const config = loadConfig({
    ...reachesLoopback,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    DASHBOARD_CREDENTIAL: newToken(),
    ...(server && { DATABASE_URL: server.url }),
  });
  const database = await openDatabase({ config, log });
  const ctx = await bootContext({ config, database, clock: systemClock, log });

  return {
    ctx,
    startWorker() {
      const sender = createSender(ctx);
      const worker = startWorker(
        { ...ctx, db: ctx.workerDb },
        {
          sender,
          decideOutcome,
          metrics: { countAttempt: () => undefined, countRepaired: () => undefined },
          pace: workerPaces[engine],
          limits: { ...defaultLimits, sockets: config.webhookMaxSockets },
        },
      );
      return {
        /** Waits until every result is written. */
        async stop() {
          await worker.stop();
          await sender.close();
        },
      };
    },
    /** Analyzes all tables thoroughly, as in a database that has been in use for a while. */
    analyze: () => ctx.db.execute(sql`analyze`),
    async close() {
      await ctx.laneNotifier.idle();
      await ctx.limiter.close();
      await ctx.mail.close();
      await database.close();
      await server?.drop();
      await rm(dataDir, { recursive: true });
    },

    async addAccount() {
      const actor = await new TestAccount(new TestApi(ctx), await addAccount(ctx)).member('owner');
      const { accountId } = actor;
      const { uuid: conversation } = await createConversation(ctx, actor, {
        subject: 'Messages of a bench',
        idempotencyKey: null,
      });
      /** The webhooks that receive closed conversations, which `addBacklog` adds. */
      const closing: number[] = [];
      return {
        async addWebhook(url: string, event: 'message.created' | 'conversation.closed') {
          const webhook = { name: 'Receiver', url, events: [event], is_active: true };
          const { id } = await createWebhook(ctx, actor, webhook);
          if (event === 'conversation.closed') closing.push(id);
        },
        /** Writes a message with this number as its text. */
        writeMessage: (number: number) =>
          createMessage(ctx, actor, {
            conversation,
            author: 'contact',
            text: String(number),
            idempotencyKey: null,
          }),
        /** Adds events of closed conversations whose deliveries are due; `wake` tells the worker. */
        async addBacklog(events: number) {
          const now = ctx.clock.now().toISOString();
          await ctx.db.execute(sql`
            with made as (
              insert into events (account_id, uuid, type, conversation_id, payload, created_at)
              select ${accountId}::uuid, gen_random_uuid(), 'conversation.closed', 51,
                ${JSON.stringify({ timestamp: now, ...payloadOf(0) })}::text, ${now}::timestamptz
              from generate_series(1, ${events}::int)
              returning id
            )
            insert into deliveries
              (account_id, webhook_id, event_id, event_type, status, due_at, created_at)
            select ${accountId}::uuid, hook::int, made.id, 'conversation.closed', 'pending',
              ${now}::timestamptz, ${now}::timestamptz
            from made, json_array_elements_text(${JSON.stringify(closing)}::json) as hooks (hook)`);
        },
        async wake() {
          ctx.laneNotifier.queue(closing);
          await ctx.laneNotifier.idle();
        },
      };
    },
  };
}

/** The payload of a closed conversation. The receiver finds the number in it. */
export function payloadOf(number: number) {
  const at = new Date().toISOString();
  const conversation = { id: 51, uuid: crypto.randomUUID(), subject: String(number) };
  const rest = { contact: null, status: 'closed', created_at: at, closed_at: at };
  return { type: 'conversation.closed', data: { conversation: { ...conversation, ...rest } } };
}

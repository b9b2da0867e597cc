import { randomUUID } from 'node:crypto';
import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { idempotentResponses } from '../../db/schema/idempotent-responses.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { recordAudit } from '../../domain/audit/record-audit.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

/** Adds rows as if a service had written them in the past. */
export class History {
  readonly #ctx: Ctx;
  readonly #accountId: AccountId;

  constructor(ctx: Ctx, accountId: AccountId) {
    this.#ctx = ctx;
    this.#accountId = accountId;
  }

  daysAgo(days: number): Date {
    return new Date(this.#ctx.clock.now().getTime() - days * dayMs);
  }

  async addWebhook(): Promise<number> {
    const { db, clock } = this.#ctx;
    const accountId = this.#accountId;
    const [row] = await db
      .insert(webhooks)
      .values({
        accountId,
        name: 'Orders',
        url: 'https://example.com/',
        events: ['message.created'],
        isActive: true,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      })
      .returning({ id: webhooks.id });
    if (!row) throw new Error('the webhook was not inserted');
    await db.insert(lanes).values({ webhookId: row.id, accountId }).onConflictDoNothing();
    return row.id;
  }

  /** Adds events of the same age, oldest first. */
  async addEvents(options: { daysOld: number; count?: number }): Promise<number[]> {
    const createdAt = this.daysAgo(options.daysOld);
    const rows = await this.#ctx.db
      .insert(events)
      .values(
        Array.from({ length: options.count ?? 1 }, () => ({
          accountId: this.#accountId,
          uuid: randomUUID(),
          type: 'message.created' as const,
          payload: '{}',
          createdAt,
        })),
      )
      .returning({ id: events.id });
    return rows.map(({ id }) => id);
  }

  /** Adds a delivery of each event, with this number of attempts each. */
  async addDeliveries(options: {
    webhookId: number;
    eventIds: readonly number[];
    status?: (typeof deliveries.$inferSelect)['status'];
    attempts?: number;
  }): Promise<void> {
    const { webhookId, eventIds, status = 'delivered' } = options;
    const now = this.#ctx.clock.now();
    const key = { accountId: this.#accountId, webhookId };
    await this.#ctx.db.insert(deliveries).values(
      eventIds.map((eventId) => ({
        ...key,
        eventId,
        eventType: 'message.created' as const,
        status,
        dueAt: status === 'pending' ? now : null,
        createdAt: now,
      })),
    );
    const made = eventIds.flatMap((eventId) =>
      Array.from({ length: options.attempts ?? 1 }, (_, index) => ({
        ...key,
        eventId,
        number: index + 1,
        startedAt: now,
        durationMs: 1,
        waitedMs: 1,
        url: 'https://example.com/',
        requestHeaders: {},
      })),
    );
    for (let at = 0; at < made.length; at += 1000) {
      await this.#ctx.db.insert(attempts).values(made.slice(at, at + 1000));
    }
  }

  async addReplay(options: {
    webhookId: number;
    state: 'running' | 'done';
    since: Date;
    until: Date;
    finishedAt?: Date;
  }): Promise<void> {
    await this.#ctx.db.insert(replays).values({
      ...options,
      accountId: this.#accountId,
      statusFilter: 'all',
      total: 1,
      createdAt: options.until,
      createdBy: { kind: 'system', id: null, name: 'Test' },
    });
  }

  /** Adds responses to requests with an `Idempotency-Key`. */
  async addResponses(options: { daysOld: number; count: number }): Promise<void> {
    await this.#ctx.db.insert(idempotentResponses).values(
      Array.from({ length: options.count }, () => ({
        accountId: this.#accountId,
        caller: 'key:1',
        route: 'test',
        key: randomUUID(),
        requestDigest: Buffer.alloc(32),
        createdAt: this.daysAgo(options.daysOld),
      })),
    );
  }

  async addAuditEntries(options: { daysOld: number; count: number }): Promise<void> {
    await this.#ctx.db.transaction(async (tx) => {
      for (let count = 1; count <= options.count; count += 1) {
        await recordAudit(tx, {
          accountId: this.#accountId,
          by: { kind: 'system', id: null, name: 'Test' },
          origin: null,
          action: 'account.updated',
          at: this.daysAgo(options.daysOld),
          target: { kind: 'test', id: '1', name: 'Test' },
        });
      }
    });
  }
}

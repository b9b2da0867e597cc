import type { Context } from '../../../context.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { makeSecret } from './secret.ts';
import { insertSecrets, lockWebhooksWithoutSecret } from '../store/secrets.ts';

type Needed = Pick<Context, 'db' | 'cipher' | 'clock'>;

const batchSize = 100;
const upgrade: ActorReference = { kind: 'system', id: null, name: 'Upgrade' };

/**
 * Gives every webhook without a signing secret one that nobody is shown, so that its deliveries are
 * signed. Earlier versions created webhooks without a secret.
 *
 * Any number of processes may do this at the same time, and repeatedly: a webhook is locked before
 * it gets a secret. Each batch is a transaction, so an interruption does no harm.
 *
 * @returns how many webhooks got one
 */
export async function addMissingSecrets(ctx: Needed): Promise<number> {
  let count = 0;
  let batch: { found: number; added: number };
  do {
    batch = await addBatch(ctx);
    count += batch.added;
  } while (batch.found > 0);
  return count;
}

async function addBatch(ctx: Needed): Promise<{ found: number; added: number }> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    const { found, rows } = await lockWebhooksWithoutSecret(tx, batchSize);
    if (rows.length === 0) return { found, added: 0 };
    const secrets = rows.map(
      ({ accountId, id }) =>
        makeSecret(ctx, { accountId, webhookId: id, createdAt: now, shown: null }).row,
    );
    await insertSecrets(tx, secrets);
    for (const { accountId, uuid, name } of rows) {
      await recordAudit(tx, {
        accountId: mintAccountId(accountId),
        by: upgrade,
        origin: null,
        action: 'webhook.secret_created',
        at: now,
        target: { kind: 'webhook', id: uuid, name },
        changes: { secret: { was_shown: false } },
      });
    }
    return { found, added: rows.length };
  });
}

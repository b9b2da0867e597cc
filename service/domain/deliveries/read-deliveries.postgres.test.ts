import { expect, test } from 'vitest';
import { TestApi, itemsOf } from '../../testing/api.ts';
import { writeFollowCursor } from '../cursor.ts';
import { explainStatements } from '../../testing/databases/explain-statements.ts';
import { addWebhook } from '../../testing/delivery/delivery-worker.ts';
import { addAccountsToGrow, addPastOf, growDatabase } from '../../testing/growth/grow-database.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext({ engine: 'postgresql' });

test('a page of the deliveries that a client follows costs no more than the first page of all', async () => {
  const account = await new TestApi(ctx).account();
  const owner = await account.member('owner');
  const { token } = await account.key();
  const webhook = await addWebhook(ctx, owner);
  await addPastOf(ctx, { accountId: owner.accountId, count: 5000 });
  // All other webhooks have few deliveries, so that the planner expects few.
  await addAccountsToGrow(ctx);
  await growDatabase(ctx, { from: 0, to: 5000 });

  const { db, explained, close } = await explainStatements(ctx.database);
  const api = new TestApi({ ...ctx, db });
  const blocksOf = async (query: string) => {
    explained.length = 0;
    const path = `/api/v1/webhooks/${webhook.id}/deliveries?${query}`;
    expect(itemsOf(await api.call('GET', path, { token }))).toHaveLength(50);
    return explained.reduce((sum, { blocks }) => sum + blocks, 0);
  };
  const first = await blocksOf('limit=50');
  expect(first).toBeGreaterThan(0);
  const follow = writeFollowCursor(`deliveries/${webhook.id}`, { from: '1:1:' });
  expect(await blocksOf(`follow=${follow}&limit=50`)).toBeLessThanOrEqual(first * 1.3);
  await close();
}, 60_000);

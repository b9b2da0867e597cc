import { expect, test } from 'vitest';
import { History } from '../../testing/records/history.ts';
import { addAccount } from '../../testing/records/people.ts';
import { useContext } from '../../testing/use-api.ts';
import { deleteOldResponses } from './claim-request.ts';

const ctx = useContext();

const kept = async () => (await ctx.db.query.idempotentResponses.findMany()).length;

test('old responses are removed in batches of 500, with a rest after each, until told to end', async () => {
  const history = new History(ctx, await addAccount(ctx));
  await history.addResponses({ daysOld: 2, count: 1700 });
  await history.addResponses({ daysOld: 0.9, count: 3 });
  const left: number[] = [];
  const restTwice = async () => left.push(await kept()) < 2;
  await deleteOldResponses(ctx, restTwice);
  expect(left).toEqual([1203, 703]);
  await deleteOldResponses(ctx, async () => true);
  expect(await kept()).toBe(3);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { failingFirst } from '../../../testing/databases/failing-transactions.ts';
import type { PersonActor } from '../../actor.ts';
import { advanceIncidents } from './advance-incidents.ts';
import { getIncident } from './get-incident.ts';
import { startIncident } from './start-incident.ts';

let ctx: TestContext;
let api: TestApi;
beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

test('an incident that cannot be advanced does not delay those of other accounts', async () => {
  const first = await startedIncident();
  ctx.clock.advance(1);
  const second = await startedIncident();
  ctx.expectErrors(/^could not advance an incident$/);
  await advanceIncidents({ ...ctx, db: failingFirst(ctx.db, 2) });
  expect(await stateOf(first)).toBe('running');
  expect(await stateOf(second)).toBe('done');
  await advanceIncidents(ctx);
  expect(await stateOf(first)).toBe('done');
});

type Started = { owner: PersonActor; uuid: string };

/** An incident of an account of its own, which revokes its only key. */
async function startedIncident(): Promise<Started> {
  const account = await api.account();
  const owner = await account.member('owner');
  const { uuid: key } = await account.key();
  const { uuid } = await startIncident(ctx, owner, {
    act: 'revoke',
    keys: [key],
    choice: {},
    reason: 'Laptop stolen',
    confirmation: 'revoke 1 key',
  });
  return { owner, uuid };
}

async function stateOf({ owner, uuid }: Started): Promise<string> {
  return (await getIncident(ctx, owner, { incident: uuid })).state;
}

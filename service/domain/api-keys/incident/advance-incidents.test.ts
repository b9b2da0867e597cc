import { describe, expect, test } from 'vitest';
import {
  beforeTransactions,
  failingFirst,
} from '../../../testing/databases/failing-transactions.ts';
import { useApi } from '../../../testing/use-api.ts';
import type { PersonActor } from '../../actor.ts';
import { deleteAccount, restoreAccount } from '../../people/accounts/delete-account.ts';
import { getAccount } from '../../people/accounts/account.ts';
import { advanceIncidents, type TemporaryErrors } from './advance-incidents.ts';
import { getIncident } from './read-incidents.ts';
import { startIncident } from './start-incident.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';

const { ctx, api } = useApi();

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

test('a key whose turn comes just after its account was deleted waits, and is changed once the account is restored', async () => {
  const started = await startedIncident({ keys: 2 });
  const { owner } = started;
  const { name } = await getAccount(ctx, owner);
  // The step has read the incident before its first transaction.
  const db = beforeTransactions(ctx.db, async (number) => {
    if (number === 1) await deleteAccount(ctx, owner, { name });
  });
  await advanceIncidents({ ...ctx, db });
  await restoreAccount(ctx, owner);
  expect(await read(started)).toMatchObject({
    state: 'running',
    keys: [{ result: 'waiting' }, { result: 'waiting' }],
  });
  await advanceIncidents(ctx);
  expect(await read(started)).toMatchObject({
    state: 'done',
    keys: [{ result: 'done' }, { result: 'done' }],
  });
});

describe('a key whose change ends with a temporary error', () => {
  const deadlock = new Error('Failed query: update', {
    cause: Object.assign(new Error('deadlock detected'), { code: '40P01' }),
  });
  const step = async (errors: TemporaryErrors) =>
    await advanceIncidents({ ...ctx, db: failingFirst(ctx.db, 1, deadlock) }, errors);

  test('waits, and is changed in the next step', async () => {
    const started = await startedIncident();
    const errors: TemporaryErrors = new Map();
    await step(errors);
    expect(await read(started)).toMatchObject({
      state: 'running',
      keys: [{ result: 'waiting', problem: null }],
    });
    await advanceIncidents(ctx, errors);
    expect(await read(started)).toMatchObject({ state: 'done', keys: [{ result: 'done' }] });
    await advanceIncidents(ctx, errors);
    expect(errors).toEqual(new Map());
  });

  test('ends the step if the key before it waits as well, because the database may be away', async () => {
    const started = await startedIncident({ keys: 3 });
    const errors: TemporaryErrors = new Map();
    await advanceIncidents({ ...ctx, db: failingFirst(ctx.db, 2, deadlock) }, errors);
    const results = async () => (await read(started)).keys.map(({ result }) => result);
    expect(await results()).toEqual(['waiting', 'waiting', 'waiting']);
    await advanceIncidents(ctx, errors);
    expect(await results()).toEqual(['done', 'done', 'done']);
  });

  test('fails after ten of them, so that the incident ends', async () => {
    const started = await startedIncident();
    const errors: TemporaryErrors = new Map();
    for (let count = 1; count < 10; count += 1) await step(errors);
    expect(await stateOf(started)).toBe('running');
    ctx.expectErrors(/^a key of an incident could not be changed$/);
    await step(errors);
    expect(await read(started)).toMatchObject({ state: 'done', keys: [{ result: 'failed' }] });
  });
});

type Started = { owner: PersonActor; uuid: string };

/** An incident of an account of its own, which revokes all its keys. */
async function startedIncident({ keys: count = 1 } = {}): Promise<Started> {
  const account = await api.account();
  const owner = await account.member('owner');
  const keys: string[] = [];
  while (keys.length < count) keys.push((await account.key()).uuid);
  const { uuid } = await startIncident(ctx, owner, {
    act: 'revoke',
    keys,
    reason: 'Laptop stolen',
    confirmation: count === 1 ? 'revoke 1 key' : `revoke ${count} keys`,
  });
  return { owner, uuid };
}

async function stateOf(incident: Started): Promise<string> {
  return (await read(incident)).state;
}

async function read({ owner, uuid }: Started): Promise<IncidentWithKeys> {
  return await getIncident(ctx, owner, { incident: uuid });
}

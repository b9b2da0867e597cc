import { expect, test } from 'vitest';
import type { TokenOfLeaver } from '#lib/contract/api-keys/shown-tokens.ts';
import { hourMs } from '#lib/durations.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { lastFour } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, itemsOf } from '../../../../testing/api.ts';
import { addSupporter } from '../../../../testing/records/people.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account, owner, admin } = useApi({ accountFor: 'test' });

const keysPath = '/api/v1/api-keys';

async function rotate(
  by: Pick<PersonActor, 'personId'>,
  key: { id: number },
  body: object = { grace_period_seconds: 0 },
): Promise<string> {
  const response = await api
    .as({ ...by, pageOf: account.id })
    .post(`${keysPath}/${key.id}/rotate`, body);
  return String(dataOf(response)['token']);
}

/** What the API returns to a key that creates another one. */
async function createWith(token: string, name: string): Promise<{ id: number; token: string }> {
  const body = { name, type: 'full' };
  const made = dataOf(await api.call('POST', keysPath, { token, body }));
  return { id: made['id'], token: String(made['token']) };
}

async function leave(person: Pick<PersonActor, 'personId'>): Promise<void> {
  expect((await owner.delete(`/api/dashboard/members/${person.personId}`)).status).toBe(204);
}

async function known(): Promise<
  [key: string, lastFour: string, person: string, through: string | null][]
> {
  const response = await owner.get('/api/dashboard/tokens-of-leavers');
  const tokens = itemsOf(response) as unknown as TokenOfLeaver[];
  return tokens.map(({ api_key: { name }, last_four: four, person, through }) => [
    name,
    four,
    person.name,
    through,
  ]);
}

test('a token is known to someone who left as long as it works, also an old one', async () => {
  const key = await account.key({ name: 'Server' });
  const shown = await rotate(admin, key);
  await rotate(owner, await account.key({ name: 'Others' }));
  expect(await known()).toEqual([]);
  await leave(admin);
  expect(await known()).toEqual([['Server', lastFour(shown), 'Ida admin', null]]);

  await api.call('GET', '/api/v1/api-key', { token: shown });
  await rotate(owner, key, { grace_period_seconds: 3600 });
  expect(await known()).toEqual([['Server', lastFour(shown), 'Ida admin', null]]);
  ctx.clock.advance(hourMs);
  expect(await known()).toEqual([]);
});

test('a key that was created with a key of someone who left counts until it is rotated; one that was created after they lost that key does not', async () => {
  const mine = await account.key({ name: 'Deploy', type: 'full' });
  const shown = await rotate(admin, mine);
  ctx.clock.advance(1000);
  const made = await createWith(shown, 'Made');
  ctx.clock.advance(1000);
  const madeByMade = await createWith(made.token, 'Made by made');
  ctx.clock.advance(1000);
  const newer = await rotate(owner, mine);
  ctx.clock.advance(1000);
  await createWith(newer, 'Made later');

  const members = await owner.get(`/api/dashboard/members/${admin.personId}/shown-secrets`);
  const expected = [
    ['Made by made', lastFour(madeByMade.token), 'Made'],
    ['Made', lastFour(made.token), 'Deploy'],
  ];
  const { tokens } = dataOf(members) as unknown as { tokens: TokenOfLeaver[] };
  expect(
    tokens.map(({ api_key: { name }, last_four: four, through }) => [name, four, through]),
    'the question before the removal names the same tokens',
  ).toEqual(expected);
  await leave(admin);
  expect((await known()).map(([name, four, , through]) => [name, four, through])).toEqual(expected);
  await rotate(owner, made);
  // Its creator had that token when it was created.
  expect((await known()).map(([name]) => name)).toEqual(['Made by made']);
  await rotate(owner, madeByMade);
  expect(await known()).toEqual([]);
});

test('a key that rotates itself is no longer known; installation support has left only where it is not allowed', async () => {
  const mine = await account.key({ name: 'Deploy', type: 'full' });
  await owner.patch(`${keysPath}/${mine.id}`, { may_rotate_itself: true });
  const shown = await rotate(admin, mine);
  await addSupporter(ctx, admin.personId);
  await leave(admin);
  expect(await known()).toEqual([]);
  await owner.patch('/api/dashboard/installation-support', { is_allowed: false });
  expect((await known()).map(([name]) => name)).toEqual(['Deploy']);
  await api.call('POST', '/api/v1/api-key/rotate', { token: shown, body: {} });
  ctx.clock.advance(25 * hourMs);
  expect(await known()).toEqual([]);
});

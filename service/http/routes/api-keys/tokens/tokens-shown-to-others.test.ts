import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { lastFour } from '../../../../testing/api-keys/tokens.ts';
import { useUnconfirmedTokens } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { itemsOf } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';

const { ctx, api, tokens, owner, admin, support } = useUnconfirmedTokens();

describe('the tokens of a key that were shown to people who cannot change it', () => {
  test('are named with their people and roles while they are valid', async () => {
    const { id } = await tokens.keyInUse();
    expect(itemsOf(await readAs(owner, id))).toEqual([]);
    const first = await tokens.rotate(support, id);
    await tokens.confirm(support, id, first);
    const person = { name: support.personName, role: 'support' };
    const shown = [{ last_four: lastFour(first), person }];
    expect(itemsOf(await readAs(admin, id))).toEqual(shown);
    await tokens.rotate(owner, id);
    expect(itemsOf(await readAs(admin, id))).toEqual(shown);
    ctx.clock.advance(dayMs);
    expect(itemsOf(await readAs(admin, id))).toEqual([]);
  });

  test('are named without a role if the person does not belong to the account', async () => {
    const { id } = await tokens.keyInUse();
    await tokens.rotate(admin, id);
    expect(itemsOf(await readAs(owner, id))).toEqual([]);
    await owner.delete(`/api/dashboard/members/${admin.personId}`);
    expect(itemsOf(await readAs(owner, id))).toMatchObject([
      { person: { name: admin.personName, role: null } },
    ]);
  });

  test('are not named to those people, nor for a key of another account', async () => {
    const { id } = await tokens.keyInUse();
    expect((await readAs(support, id)).status).toBe(403);
    const stranger = await (await api.account()).member('owner');
    expect((await readAs(stranger, id)).status).toBe(404);
  });
});

async function readAs(person: PersonActor, key: number): Promise<ApiResponse> {
  return await api.as(person).get(`/api/dashboard/api-keys/${key}/tokens-shown-to-others`);
}

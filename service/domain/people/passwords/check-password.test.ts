import { expect, test } from 'vitest';
import type { PersonActor } from '../../actor.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import { checkPassword } from './check-password.ts';
import { resetAccess } from '../members/operator/reset-access.ts';

const password = 'correct horse battery';

const ctx = useContext();

test('a password that was checked is confirmed in the transaction that writes, unless it was replaced since', async () => {
  const actor = await addActor();
  const checked = await checkPassword(ctx, actor, {
    password,
    field: 'password',
    onWrong: async () => undefined,
  });
  const confirm = () => ctx.db.transaction((tx) => checked.confirm(tx));
  await expect(confirm()).resolves.toBeUndefined();
  await resetAccess(ctx, actor.email);
  await expect(confirm()).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { password: ['This is not your password.'] },
  });
});

async function addActor(): Promise<PersonActor> {
  const accountId = await addAccount(ctx);
  const passwordHash = await ctx.auth.hashPassword(password);
  const person = await addPerson(ctx, { passwordHash });
  await addMember(ctx, { accountId, personId: person.id, role: 'owner' });
  return {
    kind: 'person',
    accountId,
    origin: { ip: '203.0.113.7', userAgent: null, requestId: 'test' },
    personId: person.id,
    personName: person.name,
    email: person.email,
    role: 'owner',
    support: { tokens: 'within_role', payloads: false, error_texts: false },
    provedAt: ctx.clock.now(),
  };
}

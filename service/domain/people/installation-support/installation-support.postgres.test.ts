import { beforeEach, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { addPerson, addSupporter } from '../../../testing/records/people.ts';
import { afterWaiting } from '../../../testing/databases/after-waiting.ts';
import { countLockWaits } from '../../../testing/databases/count-lock-waits.ts';
import { useApi } from '../../../testing/use-api.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { lockAccount, writeAccount } from '../store/accounts.ts';
import { deleteSupporter } from '../store/installation-support.ts';
import { removeSupportAsOperator } from './support-as-operator.ts';
import { setInstallationSupport } from './set-installation-support.ts';

const { ctx, owner } = useApi({ accountFor: 'test', engine: 'postgresql' });
let supporter: PersonActor;

beforeEach(async () => {
  const { id: personId, name: personName, email } = await addPerson(ctx);
  await addSupporter(ctx, personId);
  const installationSupport = {
    visit: { reason: 'Ticket 4812', endsAt: new Date(ctx.clock.now().getTime() + hourMs) },
  };
  const rights = {
    role: 'support',
    support: { tokens: 'within_role', payloads: false, error_texts: false },
  } as const;
  supporter = { ...owner, ...rights, personId, personName, email, installationSupport };
});

const confirm = async (tx: Tx) => await confirmMember(tx, supporter, 'webhooks.replay');

test.each([
  [
    'an owner who closes the account',
    () => setInstallationSupport(ctx, owner, { is_allowed: false }),
  ],
  ['an operator who removes them', () => removeSupportAsOperator(ctx, supporter.email)],
])('%s waits for what installation support is writing', async (_, end) => {
  await afterWaiting<unknown>(ctx, { lock: confirm, call: end });
  await expect(ctx.db.transaction(confirm)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test.each([
  [
    'the account is just being closed to them',
    async (tx: Tx) => {
      await lockAccount(tx, owner.accountId);
      await writeAccount(tx, owner.accountId, { allowsInstallationSupport: false });
    },
  ],
  ['they are just being removed', (tx: Tx) => deleteSupporter(tx, supporter.personId)],
])('what installation support is about to write is not written where %s', async (_, end) => {
  const write = () =>
    expect(ctx.db.transaction(confirm)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await afterWaiting(ctx, { lock: end, call: write });
});

test('two of installation support write in one account at the same time', async () => {
  await ctx.db.transaction(async (one) => {
    await confirm(one);
    const { id: personId } = await addPerson(ctx);
    await addSupporter(ctx, personId);
    const another = { ...supporter, personId };
    const confirmed = ctx.db.transaction((other) =>
      confirmMember(other, another, 'webhooks.replay'),
    );
    await expect(confirmed).resolves.toBeDefined();
    expect(await countLockWaits(ctx)).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { createCipher } from '../../../secrets/cipher.ts';
import { addPerson } from '../../../testing/records/people.ts';
import { addApp } from '../../../testing/records/second-factors.ts';
import { useContext } from '../../../testing/use-api.ts';
import { reencryptAppSecrets } from './authenticator-app.ts';
import { consumeFactor } from './consume-factor.ts';

const ctx = useContext();

test('after a change of key every authenticator app works with the new key alone, and with no other', async () => {
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = { ...ctx, cipher: createCipher({ current: old, previous: null }) };
  const added: { personId: string; code: () => string }[] = [];
  for (let made = 0; made < 3; made += 1) {
    const { id: personId, email } = await addPerson(ctx);
    added.push({ personId, ...(await addApp(before, { personId, email })) });
  }

  const both = createCipher({ current: fresh, previous: old });
  expect(await reencryptAppSecrets({ db: ctx.db, cipher: both })).toBe(3);

  const after = { ...ctx, cipher: createCipher({ current: fresh, previous: null }) };
  const proof = { purpose: 'prove:test', onWrong: async () => undefined } as const;
  for (const { personId, code } of added) {
    const use = { personId, given: { code: code() }, limitKey: personId, ...proof };
    await expect(consumeFactor(before, use)).rejects.toThrow('cannot be opened');
    expect(await consumeFactor(after, use)).toBe('app');
  }
});

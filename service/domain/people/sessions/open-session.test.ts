import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions } from '../../../db/schema/people/sessions.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import { resetAccess } from '../members/operator/reset-access.ts';
import { signIn } from '../sign-in/sign-in.ts';

const password = 'correct horse battery';
const origin = { ip: '203.0.113.7', userAgent: null, requestId: 'test' };

const ctx = useContext();

test('a sign-in with a password that is replaced while it is checked leaves no session', async () => {
  const passwordHash = await ctx.auth.hashPassword(password);
  const { id: personId, email } = await addPerson(ctx, { passwordHash });
  await addMember(ctx, { accountId: await addAccount(ctx), personId, role: 'owner' });
  const auth = {
    ...ctx.auth,
    /** Checks a password, which is replaced before the session opens. */
    async findByPassword(input: Parameters<typeof ctx.auth.findByPassword>[0]) {
      const found = await ctx.auth.findByPassword(input);
      await resetAccess(ctx, email);
      return found;
    },
  };
  const input = { email, password };
  await expect(
    signIn({ ...ctx, auth }, { input, deviceToken: null, origin }),
  ).rejects.toMatchObject({
    details: { password: ['Wrong email or password.'] },
  });
  expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
});

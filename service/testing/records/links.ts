import { requestEmailChange } from '../../domain/people/email-changes/request-email-change.ts';
import { requestPasswordReset } from '../../domain/people/passwords/password-reset.ts';
import type { TestAccount } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addPerson } from './people.ts';

/** The token of a link with which a new person can choose a password. */
export async function resetLink(ctx: TestContext): Promise<{ reset_token: string }> {
  const { email } = await addPerson(ctx);
  const origin = { ip: '192.0.2.77', userAgent: null, requestId: 'reset' };
  await requestPasswordReset(ctx, { email, origin });
  const mail = ctx.mails.findLast(({ to }) => to === email);
  return { reset_token: mail?.text.split('#')[1]?.split('\n')[0] ?? '' };
}

/** The tokens of the links of a new person who requests a change of their email address. */
export async function askForEmailChange(
  ctx: TestContext,
  account: TestAccount,
): Promise<{ confirmToken: string; revokeToken: string }> {
  const { id: personId, name: personName, email } = await addPerson(ctx);
  const actor = { ...(await account.member('viewer')), personId, personName, email };
  const newEmail = `new-${email}`;
  const { sessionToken } = await ctx.auth.openSession({ personId, ip: '', userAgent: null });
  await requestEmailChange(ctx, actor, { email: newEmail, sessionToken });
  const tokenTo = (address: string) =>
    /#([\w-]{43})/.exec(ctx.mails.findLast(({ to }) => to === address)?.text ?? '')?.[1] ?? '';
  return { confirmToken: tokenTo(newEmail), revokeToken: tokenTo(email) };
}

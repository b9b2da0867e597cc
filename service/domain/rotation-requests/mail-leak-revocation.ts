import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { listMembers } from '../people/members/list-members.ts';
import { quoteName } from '../quote-name.ts';

/**
 * Tells every owner that a key was revoked as leaked, after the commit. A mail that cannot be made
 * is logged: the key and the audit log say the same.
 */
export async function mailLeakRevocation(
  ctx: Pick<Context, 'db' | 'log' | 'mail' | 'config' | 'clock'>,
  { accountId, personName }: PersonActor,
  key: { id: number; name: string },
): Promise<void> {
  const name = quoteName(key.name);
  const at = formatExact(ctx.clock.now(), 'UTC');
  try {
    for (const { email, role } of await listMembers(ctx.db, accountId)) {
      if (role !== 'owner') continue;
      ctx.mail.send({
        to: email,
        subject: `The API key ${name} was revoked as leaked`,
        text: [
          `${quoteName(personName)} reported that the token of the API key ${name} may have leaked, and revoked the key at ${at}.`,
          'Its tokens no longer work: calls with them are rejected. Whoever used the key needs a new one.',
          dashboardLink(ctx, accountId, `settings/api-keys/${key.id}`),
        ].join('\n\n'),
      });
    }
  } catch (error) {
    ctx.log.error({ err: error, apiKeyId: key.id }, 'no owner could be told of a leak');
  }
}

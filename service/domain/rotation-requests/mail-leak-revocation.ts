import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { MailContent } from '../../mail/mail.ts';
import type { PersonActor } from '../actor.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { listMembers } from '../people/members/list-members.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';

/**
 * Tells every owner that a key was revoked as leaked, after the commit. A mail that cannot be made
 * is logged: the key and the audit log say the same.
 */
export async function mailLeakRevocation(
  ctx: Pick<Context, 'db' | 'log' | 'mail' | 'config' | 'clock'>,
  actor: PersonActor,
  key: { id: number; name: string },
): Promise<void> {
  const mail = leakRevocationMail(ctx, { actor, key, now: ctx.clock.now() });
  try {
    for (const { email, name, role } of await listMembers(ctx.db, actor.accountId)) {
      if (role === 'owner') ctx.mail.send({ ...mail, to: email, name: plainName(name) });
    }
  } catch (error) {
    ctx.log.error({ err: error, apiKeyId: key.id }, 'no owner could be told of a leak');
  }
}

export function leakRevocationMail(
  ctx: Pick<Context, 'config'>,
  about: {
    actor: Pick<PersonActor, 'accountId' | 'personName'>;
    key: { id: number; name: string };
    now: Date;
  },
): MailContent {
  const { actor, key, now } = about;
  return {
    kind: 'api_key.revoked_as_leaked',
    subject: `The API key ${quoteShortName(key.name)} was revoked as leaked`,
    paragraphs: [
      `${quoteName(actor.personName)} reported that the token of the API key ${quoteName(key.name)} may have leaked, and revoked the key.`,
      'Its tokens no longer work: calls with them are rejected. Whoever used the key needs a new one.',
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Revoked by', plainName(actor.personName)],
      ['Time', formatExact(now, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, actor.accountId, `settings/api-keys/${key.id}`),
    },
  };
}

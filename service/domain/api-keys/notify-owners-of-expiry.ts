import { notifyOwnersOfExpiry as contract } from '#lib/contract/api-keys/expiry-notice.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { MailContent, MailFact } from '../../mail/mail.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { invalid } from '../errors.ts';
import { describeActor } from '../people/installation-support/describe-actor.ts';
import { createNotices, sendNotices } from '../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { refuseEndedKey, withLockedApiKey } from './change-api-key.ts';
import { getApiKey } from './read-api-keys.ts';
import { passedNotices } from './rules.ts';
import type { ApiKeyRow } from './store/keys.ts';

/**
 * Emails the owners of the account that a key expires within 7 days, for a person who cannot change
 * its expiry. The key does not change. The owners cannot turn this email off, because a person asks
 * for their attention; so it is sent once a day for each key.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN; VALIDATION_ERROR with `details.api_key` if the key has
 *   ended or does not expire within 7 days; RATE_LIMIT_EXCEEDED
 */
export async function notifyOwnersOfExpiry(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string },
): Promise<void> {
  const { uuid } = await getApiKey(ctx, actor, input);
  await refuseOverLimit(ctx, [{ limit: 'expiry-notice', key: uuid }]);
  const notices = await withLockedApiKey(ctx, actor, {
    apiKey: uuid,
    act: contract.access.act,
    mayExceedActorRights: true,
    work: async ({ tx, key, now }) => {
      refuseEndedKey(key, now);
      const { expiresAt } = key;
      if (expiresAt === null || passedNotices(expiresAt, now) === 0) {
        throw invalid('api_key', 'This key does not expire within 7 days.');
      }
      await recordAudit(tx, {
        actor,
        action: 'api_key.owners_notified',
        at: now,
        target: { kind: 'api_key', id: uuid, name: key.name },
        changes: { expires_at: expiresAt },
      });
      const askedBy = await describeActor(tx, actor, 'Asked by');
      return await createNotices(tx, {
        accountId: actor.accountId,
        to: { role: 'owner' },
        subjectId: uuid,
        occasion: now.toISOString(),
        now,
        mail: () => expiryNoticeMail(ctx, { key, expiresAt, askedBy }),
      });
    },
  });
  sendNotices(ctx, notices);
}

export function expiryNoticeMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    expiresAt,
    askedBy,
  }: {
    key: Pick<ApiKeyRow, 'id' | 'accountId' | 'name'>;
    expiresAt: Date;
    askedBy: readonly MailFact[];
  },
): MailContent {
  return {
    kind: 'api_key.expiry_noticed',
    subject: `Support asks about the API key ${quoteShortName(key.name)}, which expires soon`,
    paragraphs: [
      `The API key ${quoteName(key.name)} expires at the time below. From then on, every call made with it is refused. If the key is still needed, change its expiry before then. Rotating the key does not change it.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Expires', formatExact(expiresAt, 'UTC')],
      ...askedBy,
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}

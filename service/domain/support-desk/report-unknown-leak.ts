import type { z } from 'zod';
import type { reportUnknownLeak as contract } from '#lib/contract/support-desk/support-desk.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { MailContent, MailFact } from '../../mail/mail.ts';
import { mintAccountId } from '../account-id.ts';
import type { SignedInPerson } from '../actor.ts';
import { publishLeakReport } from '../api-keys/revoke-api-key.ts';
import { findTokenByDigest } from '../api-keys/tokens/find-token.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { createNotices, sendNotices } from '../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { readSearcher } from './read-searcher.ts';
import { recordSearch } from './searches.ts';

/**
 * Tells the owners and admins of an account that a token of theirs leaked, for someone who cannot
 * open the account, because its owners closed it to installation support. The person learns nothing
 * from it, not even whether a key has the token.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session ended in the meantime
 */
export async function reportUnknownLeak(
  ctx: Context,
  person: SignedInPerson,
  { input, sessionToken }: { input: z.output<typeof contract.body>; sessionToken: string },
): Promise<void> {
  await refuseOverLimit(ctx, [{ limit: 'desk-search', key: person.personId }]);
  const { isSupporter, now } = await readSearcher(ctx, person, sessionToken);
  const found = await findTokenByDigest(ctx.db, Buffer.from(input.token_digest, 'hex'));
  const { notices, toQueue } = await ctx.db.transaction(async (tx) => {
    await recordSearch(tx, person, { search: null, found: {}, now });
    if (!found || found.key.revokedAt) return { notices: [], toQueue: [] };
    const { key } = found;
    const accountId = mintAccountId(key.accountId);
    await recordAudit(tx, {
      accountId,
      by: { kind: 'person', id: person.personId, name: person.personName },
      origin: person.origin,
      action: 'support_desk.leak_reported',
      at: now,
      target: { kind: 'api_key', id: key.uuid, name: key.name },
      changes: { last_four: found.token.lastFour },
    });
    const as = isSupporter ? ', installation support' : '';
    const who = `${plainName(person.personName)} (${person.email}${as})`;
    const created = await createNotices(tx, {
      accountId,
      to: { act: 'api-keys.revoke' },
      subjectId: key.uuid,
      occasion: `found:${now.toISOString().slice(0, 10)}`,
      now,
      mail: () => foundLeakMail(ctx, { key, reportedBy: [['Reported by', who]], now }),
    });
    const { origin } = person;
    return { notices: created, toQueue: await publishLeakReport(ctx, tx, { key, origin, now }) };
  });
  ctx.laneNotifier.queue(toQueue);
  sendNotices(ctx, notices);
}

export function foundLeakMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    reportedBy,
    now,
  }: {
    key: { accountId: string; id: number; name: string };
    reportedBy: readonly MailFact[];
    now: Date;
  },
): MailContent {
  return {
    kind: 'leak.found',
    subject: `Leaked: the token of the API key ${quoteShortName(key.name)}`,
    paragraphs: [
      `Someone who cannot open your account has a token of the API key ${quoteName(key.name)}, and reported that it leaked.`,
      'Rotate the key and end the old token now, or revoke the key. Until then, anyone who has the token can use it.',
    ],
    facts: [['API key', plainName(key.name)], ...reportedBy, ['Time', formatExact(now, 'UTC')]],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
    closing: ['They were not shown anything about your account, not even that the key exists.'],
  };
}

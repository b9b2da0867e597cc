import { describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RequestAct, RequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { MailContent, MailFact } from '../../../mail/mail.ts';
import type { Actor } from '../../actor.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { createNotices, type Notice } from '../../people/notices/notices.ts';
import { describeActor } from '../../people/installation-support/describe-actor.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import type { ApiKeyRow } from '../store/keys.ts';

export type FulfilledRequest = { uuid: string; act: RequestAct; reason: RequestReason };

type Shown = {
  key: ApiKeyRow;
  lastFour: string;
  fulfilled?: FulfilledRequest | undefined;
  isUndo?: boolean;
  now: Date;
};

/**
 * Creates notices to those who manage keys that support rotated one, was shown a new token in place
 * of its newest, or undid a rotation; none for other actors. Pass them to `sendNotices` after the
 * commit.
 *
 * @param options `lastFour`: of the token that is the newest now; `fulfilled`: the request for which
 *   the key was rotated
 */
export async function notifyOfSupport(
  tx: Tx,
  ctx: Pick<Context, 'config'>,
  { actor, ...shown }: Shown & { actor: Actor },
): Promise<Notice[]> {
  if (actor.kind !== 'person' || actor.role !== 'support') return [];
  const by = await describeActor(tx, actor, shown.isUndo ? 'Undone by' : 'Shown to');
  return await createNotices(tx, {
    accountId: actor.accountId,
    to: { act: 'api-keys.revoke' },
    subjectId: shown.key.uuid,
    occasion: `support${shown.isUndo ? '-undo' : ''}:${shown.now.toISOString()}`,
    now: shown.now,
    mail: () => supportRotationMail(ctx, { ...shown, by }),
  });
}

export function supportRotationMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    lastFour,
    fulfilled,
    isUndo = false,
    by,
    now,
  }: Omit<Shown, 'key'> & {
    key: Pick<ApiKeyRow, 'accountId' | 'id' | 'name'>;
    /** From `describeActor`. */
    by: readonly MailFact[];
  },
): MailContent {
  return {
    kind: 'api_key.rotated_by_support',
    subject: `Support ${isUndo ? 'undid the rotation of' : 'rotated'} the API key ${quoteShortName(key.name)}`,
    paragraphs: [
      isUndo
        ? `The new token of the API key ${quoteName(key.name)} has ended, and the previous token is valid without a deadline again. If no one requested this, rotate or revoke the key.`
        : `Support was shown a new token of the API key ${quoteName(key.name)}. If no one requested this, rotate or revoke the key.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      [isUndo ? 'Newest token ends in' : 'New token ends in', lastFour],
      ...by,
      ...(fulfilled ? [['Reason', describeRequestReason(fulfilled)] as const] : []),
      ['Time', formatExact(now, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}

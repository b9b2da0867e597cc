import { rotateCallingApiKey as contract } from '#lib/contract/api-keys/api-keys.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { ApiKeyActor } from '../../actor.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { forbidden } from '../../errors.ts';
import { createNotices } from '../../notices/create-notices.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { refuseReportedLeak } from '../../rotation-requests/leaks/refuse-reported-leak.ts';
import { changeApiKey } from '../locked/change-api-key.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import { lastFour } from '../../../tokens/token.ts';
import { repeatRotation } from './repeat-rotation.ts';
import { rotateLockedKey } from './rotate-locked-key.ts';

/**
 * Gives the calling key a new token, whatever its scopes, with the grace period of the
 * installation. Owners and admins are mailed each time, also of a repeat with the same
 * `Idempotency-Key`, which returns another token.
 *
 * @throws ServiceError FORBIDDEN if no owner or admin lets the key rotate itself, or if it calls
 *   with a token in its grace period, except to repeat the rotation that put it there;
 *   VALIDATION_ERROR while a leak of the key is reported, if too many of its tokens would be valid,
 *   or on `Idempotency-Key` for a repeat that is refused
 */
export async function rotateCallingApiKey(
  ctx: Context,
  actor: ApiKeyActor,
  { idempotencyKey }: { idempotencyKey: string | null },
): Promise<{ token: string; message: string }> {
  const { notices, token, message } = await changeApiKey(ctx, actor, {
    apiKey: String(actor.keyId),
    act: 'api-keys.rotate',
    isCaller: true,
    repeatable: { key: idempotencyKey, route: contract.name, request: {} },
    change: async (locked) => {
      const { tx, key, now, claim } = locked;
      if (!key.mayRotateItself) throw forbidden();
      await refuseReportedLeak(tx, key, { now, refusal: leakReported });
      const rotate = async () => {
        const { tokenId, ...rotated } = await rotateLockedKey(ctx, actor, { ...locked, input: {} });
        await claim.keep({ apiKeyId: key.id, tokenId, callerTokenId: actor.tokenId });
        return rotated;
      };
      const rotated = claim.earlier
        ? await repeatRotation(actor, { ...locked, earlier: claim.earlier })
        : await rotate();
      const shown = { key, lastFour: lastFour(rotated.token), address: actor.origin.ip, now };
      const created = await createNotices(tx, {
        accountId: actor.accountId,
        to: { act: 'api-keys.revoke' },
        subjectId: key.uuid,
        occasion: `self:${now.toISOString()}`,
        now,
        mail: () => selfRotationMail(ctx, shown),
      });
      return { ...rotated, notices: created };
    },
  });
  sendNotices(ctx, notices);
  return { token, message };
}

const [leakReported] = contract.stateRefusal.api_key;

export function selfRotationMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    lastFour: newLastFour,
    address,
    now,
  }: {
    key: Pick<ApiKeyRow, 'accountId' | 'id' | 'name'>;
    lastFour: string;
    address: string;
    now: Date;
  },
): MailContent {
  return {
    kind: 'api_key.rotated_itself',
    subject: `The API key ${quoteShortName(key.name)} rotated itself`,
    paragraphs: [
      `A program used the API key ${quoteName(key.name)} to give this key a new token. If you did not expect this, rotate or revoke the key.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['New token ends in', newLastFour],
      ['Address', address],
      ['Time', formatExact(now, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}

import type { SecondFactors } from '#lib/contract/people/second-factors.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { findApp, findRecoveryCodes, listPasskeyRows } from '../store/second-factors.ts';
import { describePasskey } from './passkeys/add-passkey.ts';
import { relyingPartyOf } from './passkeys/webauthn.ts';

/** The person's second factors, without their secrets. */
export async function getSecondFactors(
  ctx: Context,
  { personId }: PersonActor,
): Promise<SecondFactors> {
  const app = await findApp(ctx.db, personId);
  const codes = await findRecoveryCodes(ctx.db, personId);
  return {
    passkeys: (await listPasskeyRows(ctx.db, personId)).map(describePasskey),
    app: app?.confirmedAt
      ? {
          created_at: formatApiTime(app.confirmedAt),
          last_used_at: app.lastUsedAt && formatApiTime(app.lastUsedAt),
        }
      : null,
    recovery_codes: codes && {
      left: codes.left,
      total: codes.total,
      created_at: formatApiTime(codes.createdAt),
    },
    passkey_host: relyingPartyOf(ctx.config)?.host ?? null,
  };
}

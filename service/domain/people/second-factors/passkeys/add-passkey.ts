import type { z } from 'zod';
import type { Passkey, addPasskeyInput } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { invalid } from '../../../errors.ts';
import { quoteName } from '../../../quote-name.ts';
import { currentSessionId } from '../../sessions/current-session-id.ts';
import { takeChallenge } from '../../store/pending-sign-ins.ts';
import { insertPasskey, listPasskeyRows, lockFactors } from '../../store/second-factors.ts';
import type { PasskeyRow } from '../../store/second-factors.ts';
import { addFactor } from '../add-factor.ts';
import { describePasskey } from './describe-passkey.ts';
import { verifyNewPasskey } from './webauthn.ts';
import { relyingPartyOf } from './relying-party.ts';
import { mailFactorChange } from '../mail-factor-change.ts';

const maxPasskeys = 20;

/**
 * Adds a passkey that the browser created with the options of `startPasskey`.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.passkey`; UNAUTHORIZED if the session of the
 *   call ended in the meantime
 */
export async function addPasskey(
  ctx: Context,
  actor: PersonActor,
  { input, sessionToken }: { input: z.output<typeof addPasskeyInput>; sessionToken: string },
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { name, passkey: given } = input;
  const { personId, email } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  const relyingParty = relyingPartyOf(ctx.config);
  const verified = relyingParty && (await verifyNewPasskey(relyingParty, given));
  if (!verified) throw notAccepted();
  const added = await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    const now = ctx.clock.now();
    const digest = verified.challengeDigest;
    const purpose = `add:${sessionId}` as const;
    if (!(await takeChallenge(tx, { digest, personId, purpose, now }))) throw notAccepted();
    if ((await listPasskeyRows(tx, personId)).length >= maxPasskeys) {
      throw invalid('passkey', `You can have ${maxPasskeys} passkeys. Remove one first.`);
    }
    const row: PasskeyRow = {
      ...verified.passkey,
      uuid: crypto.randomUUID(),
      personId,
      name,
      createdAt: now,
      lastUsedAt: null,
    };
    const recoveryCodes = await addFactor(tx, actor, {
      kind: 'passkey',
      name,
      sessionId,
      now,
      async insert() {
        if (!(await insertPasskey(tx, row))) throw notAccepted();
      },
    });
    return { row, recoveryCodes };
  });
  mailFactorChange(ctx, {
    email,
    subject: 'A passkey was added',
    what: `The passkey ${quoteName(name)} can confirm that it is you from now on.`,
  });
  return { passkey: describePasskey(added.row), recoveryCodes: added.recoveryCodes };
}

function notAccepted() {
  return invalid('passkey', 'This passkey was not accepted. Start again.');
}

import type { z } from 'zod';
import type { addPasskeyInput, Passkey } from '#lib/contract/people/second-factors.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { invalid, notFound } from '../../../errors.ts';
import { quoteName } from '../../../quote-name.ts';
import { parseUuid } from '../../../resource-reference.ts';
import { recordInAccounts } from '../../record-in-accounts.ts';
import { confirmSession, currentSessionId } from '../../sessions/find-session.ts';
import { takeChallenge } from '../../store/pending-sign-ins.ts';
import {
  insertPasskey,
  listPasskeyRows,
  lockFactors,
  updatePasskey,
  type PasskeyRow,
} from '../../store/second-factors.ts';
import { addFactor } from '../add-factor.ts';
import { mailFactorChange } from '../mail-factor-change.ts';
import { optionsToAdd, relyingPartyOf, verifyNewPasskey } from './webauthn.ts';

/**
 * Options with which a browser creates a passkey, in this session alone.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.passkey` if the service has no host name
 */
export async function startPasskey(
  ctx: Context,
  { personId, personName, email }: PersonActor,
  sessionToken: string,
): Promise<Record<string, unknown>> {
  const relyingParty = relyingPartyOf(ctx.config);
  if (!relyingParty) {
    throw invalid(
      'passkey',
      'Passkeys need a host name. Your administrator can set one as PUBLIC_URL.',
    );
  }
  const person = { id: personId, name: personName, email };
  const existing = await listPasskeyRows(ctx.db, personId);
  const purpose = `add:${await currentSessionId(ctx, sessionToken)}` as const;
  return await optionsToAdd(ctx, { relyingParty, person, existing, purpose });
}

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

/**
 * Renames a passkey of the person.
 *
 * @throws ServiceError NOT_FOUND; UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function renamePasskey(
  ctx: Context,
  { personId, personName, origin }: PersonActor,
  input: { passkey: string; name: string; sessionToken: string },
): Promise<Passkey> {
  const { name } = input;
  const uuid = parseUuid(input.passkey);
  const sessionId = await currentSessionId(ctx, input.sessionToken);
  return await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const before = (await listPasskeyRows(tx, personId)).find((passkey) => passkey.uuid === uuid);
    const row = before && (await updatePasskey(tx, before, { name }));
    if (!row) throw notFound();
    await recordInAccounts(tx, {
      person: { id: personId, name: personName },
      origin,
      action: 'person.second_factor_renamed',
      now: ctx.clock.now(),
      changes: { kind: 'passkey', name, previous_name: before.name },
    });
    return describePasskey(row);
  });
}

export function describePasskey(passkey: PasskeyRow): Passkey {
  return {
    uuid: passkey.uuid,
    name: passkey.name,
    is_synced: passkey.isSynced,
    created_at: formatApiTime(passkey.createdAt),
    last_used_at: passkey.lastUsedAt && formatApiTime(passkey.lastUsedAt),
  };
}

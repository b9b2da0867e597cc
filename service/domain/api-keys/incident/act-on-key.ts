import { startIncident as contract } from '#lib/contract/api-keys/incidents/incidents.ts';
import type { IncidentResult } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { isTemporaryError } from '../../is-temporary-error.ts';
import { isAccountDeleted } from '../../people/accounts/refuse-deleted-account.ts';
import { changeApiKey } from '../locked/change-api-key.ts';
import type { LockedApiKey } from '../locked/with-locked-api-key.ts';
import { revokeLockedKey } from '../revocation/revoke-locked-key.ts';
import { rotateLockedKey } from '../rotation/rotate-locked-key.ts';
import { isExpired } from '../rules.ts';
import { lockIncident, recordIncidentResult } from '../store/incidents.ts';
import type { IncidentRow } from '../store/incidents.ts';

export type RunningIncident = IncidentRow & { accountId: AccountId };

type Outcome = { result: IncidentResult; problem: string | null };

/**
 * Rotates or revokes one key of an incident and records the result, in one transaction. If a key
 * cannot be changed, the reason is recorded and the other keys go on.
 *
 * @param options.mayWait whether the key may wait for another try after a temporary error
 * @returns `waits` if it does; `over` if the incident has ended in the meantime, or its account is
 *   being deleted
 */
export async function actOnKey(
  ctx: Context,
  incident: RunningIncident,
  { apiKeyId, mayWait }: { apiKeyId: number; mayWait: boolean },
): Promise<'done' | 'waits' | 'over'> {
  try {
    return await changeApiKey(ctx, actorOf(incident), {
      apiKey: String(apiKeyId),
      act: contract.access.act,
      change: (locked) => carryOut(ctx, incident, locked),
    });
  } catch (error) {
    if (mayWait && isTemporaryError(error)) {
      const fields = { err: error, incident: incident.uuid, key_id: apiKeyId };
      ctx.log.warn(fields, 'a key of an incident could not be changed yet');
      return 'waits';
    }
    return await ctx.db.transaction(async (tx) => {
      if ((await lockIncident(tx, incident))?.state !== 'running') return 'over';
      // Its keys wait, because the account may be restored, and then they work again.
      if (await isAccountDeleted(tx, incident.accountId)) return 'over';
      const outcome = { apiKeyId, ...outcomeOf(ctx, incident, error), at: ctx.clock.now() };
      await recordIncidentResult(tx, incident, outcome);
      return 'done';
    });
  }
}

async function carryOut(
  ctx: Context,
  incident: RunningIncident,
  locked: LockedApiKey,
): Promise<'done' | 'over'> {
  const { tx, key, now } = locked;
  if ((await lockIncident(tx, incident))?.state !== 'running') return 'over';
  const ended = key.revokedAt ? 'was revoked' : isExpired(key, now) ? 'had expired' : null;
  const outcome: Outcome = ended
    ? { result: 'skipped', problem: `This key ${ended} before its turn.` }
    : { result: 'done', problem: null };
  const settled = { apiKeyId: key.id, ...outcome, at: now };
  // Another process has already handled this key.
  if (!(await recordIncidentResult(tx, incident, settled))) return 'done';
  if (ended) return 'done';
  const { uuid, reason } = incident;
  const change = { ...locked, incident: { uuid, reason } };
  if (incident.act === 'revoke') {
    await revokeLockedKey(actorOf(incident), { ...change, reason });
  } else {
    const input = { grace_period_seconds: incident.graceSeconds ?? 0 };
    await rotateLockedKey(ctx, actorOf(incident), { ...change, input });
  }
  return 'done';
}

/**
 * The person who started the incident, as the audit log names them. Their rights are not taken from
 * here: the transaction of each key reads them again.
 */
function actorOf({ accountId, createdBy, createdAt, origin }: RunningIncident): PersonActor {
  return {
    kind: 'person',
    accountId,
    origin,
    personId: createdBy.id ?? '',
    personName: createdBy.name,
    email: '',
    provedAt: createdAt,
    role: 'viewer',
    support: { tokens: 'within_role', payloads: false, error_texts: false },
  };
}

function outcomeOf(ctx: Context, { uuid, createdBy }: RunningIncident, error: unknown): Outcome {
  if (error instanceof ServiceError) {
    if (error.code === 'FORBIDDEN') {
      const problem = `${createdBy.name} may no longer do this in the account.`;
      return { result: 'skipped', problem: error.customMessage ?? problem };
    }
    if (error.code === 'NOT_FOUND') return { result: 'skipped', problem: 'This key is gone.' };
    const details = Object.values(error.details ?? {}).flat();
    if (details.length > 0) return { result: 'failed', problem: details.join(' ') };
  }
  ctx.log.error({ err: error, incident: uuid }, 'a key of an incident could not be changed');
  return { result: 'failed', problem: 'Something went wrong, so this key is as it was.' };
}

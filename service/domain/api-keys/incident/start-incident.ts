import type { z } from 'zod';
import { incidentConfirmation } from '#lib/contract/api-keys/incidents/incident-words.ts';
import { startIncident as contract } from '#lib/contract/api-keys/incidents/incidents.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import type {
  StartIncidentInput,
  startIncidentInput,
} from '#lib/contract/api-keys/incidents/incidents.ts';
import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid } from '../../errors.ts';
import { confirmCaller } from '../confirm-actor.ts';
import { insertIncident } from '../store/incidents.ts';
import { findActiveKeys } from './incident-keys.ts';
import { describeWithKeys } from './read-incidents.ts';

/**
 * Records what is to be done to many keys. Workers then change them one after the
 * other, whether or not the person waits for the result.
 *
 * @throws ServiceError FORBIDDEN; VALIDATION_ERROR on `keys` if one is not an active key of the
 *   account, on `confirmation` if it is not the text that `incidentConfirmation` returns, on
 *   `incident` while another incident of the account is running
 */
export async function startIncident(
  ctx: Context,
  actor: PersonActor,
  input: z.output<typeof startIncidentInput>,
): Promise<IncidentWithKeys> {
  const problem = findConfirmationProblem(input);
  if (problem !== null) throw invalid('confirmation', problem);
  const keys = await findActiveKeys(ctx, actor.accountId, input.keys);
  return await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, {
      act: contract.access.act,
      scope: 'api-keys:manage',
      clock: ctx.clock,
    });
    const now = ctx.clock.now();
    const incident = await insertIncident(
      tx,
      {
        accountId: actor.accountId,
        act: input.act,
        graceSeconds: input.act === 'rotate' ? (input.grace_period_seconds ?? 0) : null,
        reason: input.reason,
        state: 'running',
        createdAt: now,
        createdBy: actorReference(actor),
        origin: actor.origin,
      },
      keys.map(({ key, tokens }) => ({ apiKeyId: key.id, lastFour: tokens[0]?.lastFour ?? '' })),
    );
    if (!incident) {
      throw invalid(
        'incident',
        'Another incident of this account is running. Wait until it is done, or cancel it.',
      );
    }
    await recordAudit(tx, {
      actor,
      action: 'incident.started',
      at: now,
      target: { kind: 'incident', id: incident.uuid, name: incident.reason },
      changes: {
        act: incident.act,
        keys: keys.length,
        grace_period_seconds: incident.graceSeconds,
      },
    });
    return await describeWithKeys(tx, incident);
  });
}

/** What is wrong with the words that confirm an incident; null if nothing is. */
export function findConfirmationProblem({
  act,
  keys,
  confirmation,
}: Pick<StartIncidentInput, 'act' | 'keys' | 'confirmation'>): string | null {
  const words = incidentConfirmation(act, keys.length);
  if (words === null) return null;
  return confirmation?.normalize('NFC').trim().toLowerCase() === words ? null : `Type “${words}”.`;
}

import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import { createNotices } from '../../notices/create-notices.ts';
import type { Notice } from '../../notices/create-notices.ts';
import { countResults } from '../store/incidents.ts';
import type { IncidentRow } from '../store/incidents.ts';
import { describeIncident } from './describe-incident.ts';
import { incidentMail } from './incident-mail.ts';

/**
 * Writes down an email to the owners about an incident that just ended: one for all of its keys. Call
 * it in the transaction that ends the incident, and hand what it gives to `sendNotices` after.
 *
 * @param row as it is once it has ended
 */
export async function notifyOwners(
  tx: Tx,
  ctx: Pick<Context, 'config' | 'clock'>,
  row: IncidentRow,
): Promise<Notice[]> {
  const accountId = mintAccountId(row.accountId);
  const results = await countResults(tx, accountId, [row.uuid]);
  return await createNotices(tx, {
    accountId,
    to: { role: 'owner' },
    subjectId: row.uuid,
    occasion: 'ended',
    now: ctx.clock.now(),
    mail: () => incidentMail(ctx, { accountId, incident: describeIncident(row, results) }),
  });
}

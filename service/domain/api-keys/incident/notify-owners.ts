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
 * Creates one email to the owners about an incident that just ended, for all of its keys. Call it
 * in the transaction that ends the incident, and pass the result to `sendNotices` after the commit.
 *
 * @param row the incident as it is after it ended
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

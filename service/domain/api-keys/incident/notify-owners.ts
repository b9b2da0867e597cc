import { incidentWords } from '#lib/contract/api-keys/incidents/incident-words.ts';
import type { Incident, IncidentResult } from '#lib/contract/api-keys/incidents/incident.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { mintAccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { createNotices, type Notice } from '../../people/notices/notices.ts';
import { plainName, quoteName } from '../../quote-name.ts';
import { countResults, type IncidentRow } from '../store/incidents.ts';
import { describeIncident } from './read-incidents.ts';

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

type MailedIncident = Pick<Incident, 'uuid' | 'act' | 'counts' | 'reason' | 'created_at'> & {
  created_by: { name: string };
  cancelled_by: { name: string } | null;
};

/** The email with the results of an incident in numbers. The dashboard has the names. */
export function incidentMail(
  ctx: Pick<Context, 'config'>,
  { accountId, incident }: { accountId: string; incident: MailedIncident },
): MailContent {
  const { uuid, act, counts, reason, created_by: by, cancelled_by: cancelledBy } = incident;
  const all = Object.values(counts).reduce((sum, keys) => sum + keys, 0);
  const { done, label: doneLabel } = incidentWords[act];
  const keys = `${formatCount(counts.done)} of ${countOf(all, 'API key')}`;
  const words = [
    `${quoteName(by.name)} had ${keys} ${done} in an incident: ${quoteName(reason)}.`,
    cancelledBy && `${quoteName(cancelledBy.name)} cancelled the rest.`,
    counts.failed > 0 && 'Keys that failed did not change, and can be tried again.',
  ];
  return {
    kind: 'incident.ended',
    subject: `Incident: ${keys} ${done}`,
    paragraphs: [words.filter((word) => typeof word === 'string').join(' ')],
    facts: [
      [doneLabel, formatCount(counts.done)],
      ...left
        .filter(([result]) => counts[result] > 0)
        .map(([result, label]) => [label, formatCount(counts[result])] as const),
      ['Started by', plainName(by.name)],
      ['Started', formatExact(new Date(incident.created_at), 'UTC')],
    ],
    action: {
      label: 'Open the incident',
      url: dashboardLink(ctx, accountId, `settings/api-keys/incident/${uuid}`),
    },
  };
}

/** The other results a key can have, and how the email words them. */
const left: readonly (readonly [IncidentResult, string])[] = [
  ['skipped', 'Skipped'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
];

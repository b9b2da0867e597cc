import type { z } from 'zod';
import { exportAuditLog as contract } from '#lib/contract/audit-log/audit-log.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { confirmCaller } from '../../api-keys/confirm-caller.ts';
import { ServiceError } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { describeAuditEntry } from '../describe-audit-entry.ts';
import { readFilters } from '../read-filters.ts';
import { recordAudit } from '../record-audit.ts';
import { countAuditEntryRows, listAuditEntryRows } from '../store/entries.ts';
import type { AuditEntryFilter } from '../store/filter-entries.ts';
import { exportFormats } from './export-formats.ts';

/** How many entries one statement reads: enough to be quick, few enough to need little memory. */
const batchSize = 1000;

/**
 * The account's audit entries that match at this moment, as text, newest first. Entries are read in
 * batches while the text is consumed; reading stops if the consumer stops. A consumer can take
 * hours, so before each batch the actor's rights are read again, and the text breaks off once they
 * may no longer read the log. The export itself is recorded in the log, but does not contain that
 * entry.
 *
 * @returns how many entries there are, and the text in pieces
 * @throws ServiceError RATE_LIMIT_EXCEEDED after 20 exports of an account within an hour
 */
export async function exportAuditLog(
  ctx: Context,
  actor: Actor,
  { format, ...filters }: z.output<typeof contract.query>,
): Promise<{ total: number; text: AsyncGenerator<string> }> {
  const { accountId } = actor;
  await refuseOverLimit(ctx, [{ limit: 'audit-export', key: accountId }]);
  const filter = await readFilters(ctx.db, accountId, filters);
  const { total, newest } = await ctx.heavyReads.run(accountId, () =>
    countAuditEntryRows(ctx.db, accountId, filter),
  );
  await ctx.db.transaction((tx) =>
    recordAudit(tx, {
      actor,
      action: 'audit_log.exported',
      at: ctx.clock.now(),
      target: { kind: 'audit_log', id: accountId, name: 'Audit log' },
      changes: { format, entries: total, ...filters },
    }),
  );
  return { total, text: readText(ctx, actor, { format, filter, before: newest + 1 }) };
}

async function* readText(
  ctx: Context,
  actor: Actor,
  {
    format,
    filter,
    before,
  }: { format: keyof typeof exportFormats; filter: AuditEntryFilter; before: number },
): AsyncGenerator<string> {
  const { head, line } = exportFormats[format];
  if (head !== '') yield head;
  try {
    for (;;) {
      await confirmReader(ctx, actor);
      const rows = await listAuditEntryRows(ctx.db, actor.accountId, {
        ...filter,
        at: { before },
        limit: batchSize,
      });
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map((row) => line(describeAuditEntry(row, actor))).join('');
      if (rows.length < batchSize) return;
      before = last.id;
    }
  } catch (error) {
    // The response has already begun, so it can only be aborted.
    if (error instanceof ServiceError) {
      const { code } = error;
      ctx.log.info({ code }, 'an export of the audit log ended: its caller may no longer read it');
    } else ctx.log.error({ err: error }, 'an export of the audit log broke off');
    throw error;
  }
}

/** @throws ServiceError if the actor may no longer read the audit log */
async function confirmReader({ db, clock }: Context, actor: Actor): Promise<void> {
  await db.transaction((tx) => confirmCaller(tx, actor, { ...contract.access, clock }));
}

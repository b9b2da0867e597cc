import type { z } from 'zod';
import {
  exportAuditLog as contract,
  type AuditEntry,
  type ExportFormat,
} from '#lib/contract/audit-log/audit-log.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { ServiceError } from '../errors.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { describeAuditEntry, readFilters } from './list-audit-entries.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { countAuditEntryRows, listAuditEntryRows, type AuditEntryFilter } from './store.ts';

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

type Format = {
  /** The text before the first entry. */
  head: string;
  line: (entry: AuditEntry) => string;
};

/** The columns of a CSV file, with the value of each for an entry. */
const columns: Readonly<Record<string, (entry: AuditEntry) => string | null>> = {
  id: ({ id }) => String(id),
  at: ({ at }) => at,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  action: ({ action }) => action,
  target_kind: ({ target }) => target.kind,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  changes: ({ changes }) => changes && JSON.stringify(changes),
  ip: ({ ip }) => ip,
  user_agent: ({ user_agent }) => user_agent,
  request_id: ({ request_id }) => request_id,
  is_chained: ({ is_chained }) => String(is_chained),
};

const cellsOf = Object.values(columns);

const exportFormats: Readonly<Record<ExportFormat, Format>> = {
  csv: {
    // Excel reads a file without a byte order mark as Windows-1252.
    head: `\ufeff${csvLine(Object.keys(columns))}`,
    line: (entry) => csvLine(cellsOf.map((cellOf) => cellOf(entry))),
  },
  jsonl: { head: '', line: (entry) => `${JSON.stringify(entry)}\n` },
};

/**
 * A line of a CSV file (RFC 4180). A cell that a spreadsheet would read as a formula gets a leading
 * apostrophe, which spreadsheets do not show: other people choose the names and addresses in it. Some
 * read the full-width forms of the characters like the characters.
 *
 * In many countries, Excel separates cells by semicolons, and other programs by tabs. So what follows
 * one of these in a cell is treated as a cell too, also if it begins with quotation marks.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(disarmed(cell ?? ''))).join(',')}\r\n`;
}

function disarmed(cell: string): string {
  const isFormula = /^[=+\-@＝＋－＠\t\r]/.test(cell);
  const parts = cell.replaceAll(/[;\t](?="*[=+\-@＝＋－＠\r])/g, "$&'");
  return isFormula ? `'${parts}` : parts;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

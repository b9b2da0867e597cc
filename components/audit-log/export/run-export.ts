import { dataPath } from '#lib/paths/data-path.ts';
import { ApiError, apiError } from '#lib/api/api-error.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import type { ExportFormat } from '#lib/contract/audit-log/audit-log.ts';
import { type AuditFilter, auditSearch } from '#lib/queries/audit-log.ts';

import type { FileSink } from './file-sink.ts';

export type ExportProgress = { read: number; total: number };

type ExportInput = {
  accountId: string;
  filter: AuditFilter;
  format: ExportFormat;
  sink: FileSink;
  /** Aborts the export and discards the file. */
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
};

/**
 * Reads an export of the log into a file. Each line but the first of a CSV file is an entry.
 *
 * @throws ApiError if the service refuses; an Error with the browser's message if reading or writing
 * fails; an AbortError if it was aborted
 */
export async function runExport({
  accountId,
  filter,
  format,
  sink,
  signal,
  onProgress,
}: ExportInput): Promise<ExportProgress> {
  try {
    const query = { ...auditSearch(filter), format };
    const response = await fetch(dataPath(accountId, 'exportAuditLog', { query }), { signal });
    if (!response.ok || response.body === null) throw await errorOf(response);
    const total = Number(response.headers.get('X-Total-Count') ?? 0);
    let lines = 0;
    const progress = () => ({ read: Math.max(0, lines - (format === 'csv' ? 1 : 0)), total });
    onProgress(progress());
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      lines += countLines(value);
      await sink.write(value);
      onProgress(progress());
    }
    await sink.close();
    return progress();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

const newline = 10;

function countLines(piece: Uint8Array): number {
  let count = 0;
  for (const byte of piece) if (byte === newline) count += 1;
  return count;
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as {
    error?: { code: ErrorCode; message: string; retry_after?: number };
  } | null;
  if (!body?.error) return apiError('UNAVAILABLE');
  const { retry_after: retryAfter, ...error } = body.error;
  return new ApiError({ ...error, status: response.status, retryAfter });
}

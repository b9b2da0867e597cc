import { useEffect, useRef, useState } from 'react';

import { type Deadline, rateLimitDeadline } from '#components/shell/feedback/rate-limit.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { ExportFormat } from '#lib/contract/audit-log/audit-log.ts';
import type { AuditFilter } from '#lib/queries/audit-log.ts';

import { exportFileName, openFileSink } from './file-sink.ts';
import { type ExportProgress, runExport } from './run-export.ts';

export type ExportState =
  | { kind: 'idle' }
  | { kind: 'running'; progress: ExportProgress | null }
  | { kind: 'done'; progress: ExportProgress; fileName: string }
  | { kind: 'cancelled' }
  /**
   * `deadline`: when the rate limit that refused the export ends. Null: it failed for another
   * reason.
   */
  | { kind: 'failed'; message: string; deadline: Deadline | null };

/** Runs one export at a time, which is aborted when the component unmounts. */
export function useExport(accountId: string) {
  const [state, setState] = useState<ExportState>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(filter: AuditFilter, format: ExportFormat) {
    const fileName = exportFileName(format, new Date());
    const controller = new AbortController();
    try {
      const sink = await openFileSink(fileName, mediaTypes[format]);
      if (sink === null) return;
      running.current = controller;
      setState({ kind: 'running', progress: null });
      const progress = await runExport({
        accountId,
        filter,
        format,
        sink,
        signal: controller.signal,
        onProgress: (next) => setState({ kind: 'running', progress: next }),
      });
      setState({ kind: 'done', progress, fileName });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: 'cancelled' });
      else setState({ kind: 'failed', message: messageOf(error), deadline: deadlineOf(error) });
    }
  }

  return { state, start, cancel: () => running.current?.abort() };
}

// The contract has these too, but together with schemas that are too large for a page.
const mediaTypes = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

function deadlineOf(error: unknown): Deadline | null {
  return error instanceof ApiError ? rateLimitDeadline(error) : null;
}

/** Browsers' messages about a broken connection are not meant for people. */
function messageOf(error: unknown): string {
  return error instanceof TypeError || !(error instanceof Error)
    ? 'The connection broke off.'
    : error.message;
}

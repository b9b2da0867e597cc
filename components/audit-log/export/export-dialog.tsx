import { type RefObject, useEffect, useRef, useState } from 'react';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import {
  type Deadline,
  rateLimitDeadline,
  rateLimitReason,
  useSecondsLeft,
} from '#components/shell/feedback/rate-limit.ts';
import { hasWindow } from '#components/shell/search/time-window/time-window.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Meter } from '#components/ui/feedback/meter.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { Dialog } from '#components/ui/overlays/dialog.tsx';
import { ApiError, apiError } from '#lib/api/api-error.ts';
import type { ExportFormat } from '#lib/contract/audit-log/audit-log.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { isKeyOf } from '#lib/object-keys.ts';
import { dataPath } from '#lib/paths/data-path.ts';
import { type AuditFilter, auditSearch } from '#lib/queries/audit-log.ts';
import { formatShort } from '#lib/time.ts';
import {
  actorKinds,
  auditSpans,
  type AuditView,
  labelOfAction,
  toAuditFilter,
} from '../audit-view.ts';
import { exportFileName, type FileSink, openFileSink, writesToDisk } from './file-sink.ts';

type ExportDialogProps = {
  accountId: string;
  view: AuditView;
  actorName: string | undefined;
  isOpen: boolean;
  finalFocus: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

/** Exports the entries that match the filters to a file, with progress and a button to cancel. */
export function ExportDialog(props: ExportDialogProps) {
  const { accountId, view, actorName, isOpen, finalFocus, onClose } = props;
  const [format, setFormat] = useState<ExportFormat>('csv');
  const { state, start, cancel } = useExport(accountId);
  const isRunning = state.kind === 'running';
  const filters = describeFilter(view, actorName);
  const deadline = state.kind === 'failed' ? state.deadline : null;
  const secondsLeft = useSecondsLeft(deadline);

  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      isLocked={isRunning}
      ignoresOutsidePress
      finalFocus={finalFocus}
      title="Export audit log"
      sentence={
        filters.length === 0
          ? 'All entries, newest first.'
          : 'The entries that match the filters of the page, newest first.'
      }
      footer={
        isRunning ? (
          <Button onClick={cancel}>Cancel export</Button>
        ) : (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button
              variant="primary"
              disabledReason={rateLimitReason(secondsLeft)}
              onClick={() => void start(toAuditFilter(view), format)}
            >
              {state.kind === 'idle' ? 'Export' : 'Export again'}
            </Button>
          </>
        )
      }
    >
      {filters.length > 0 && (
        <ul aria-label="Filters" className="grid gap-0.5 text-ink-2">
          {filters.map((filter) => (
            <li key={filter} className="wrap-anywhere">
              {filter}
            </li>
          ))}
        </ul>
      )}
      {!isRunning && (
        <RadioCards
          legend="Format"
          name="format"
          cards={formats}
          value={format}
          onChange={setFormat}
        />
      )}
      {!isRunning && (
        <p className="text-small text-ink-3">
          {writesToDisk()
            ? 'You choose where to save the file. Entries are written to it as they are read.'
            : 'This browser holds the file in memory until it is complete. For a log of millions of entries, use the API or a browser that can write to a file you choose, such as Chrome or Edge.'}
        </p>
      )}
      <RateLimitNotice deadline={deadline}>No file was saved.</RateLimitNotice>
      <Outcome state={state} />
    </Dialog>
  );
}

function Outcome({ state }: { state: ExportState }) {
  return (
    <div>
      {state.kind === 'running' && <Progress progress={state.progress} />}
      <p role="status">
        {state.kind === 'done' &&
          `Exported ${countEntries(state.progress.read)} to ${state.fileName}.`}
        {state.kind === 'cancelled' && 'Export cancelled. No file was saved.'}
      </p>
      {state.kind === 'failed' && state.deadline === null && (
        <ErrorPanel
          role="alert"
          title="The log could not be exported"
          message={`${state.message} No file was saved.`}
        />
      )}
    </div>
  );
}

function Progress({ progress }: { progress: ExportProgress | null }) {
  if (progress === null) return <p>Counting the entries…</p>;
  const { read, total } = progress;
  const text = `${formatCount(read)} of ${countEntries(total)}`;
  return (
    <div className="grid gap-2">
      <p>{text}</p>
      <Meter
        role="progressbar"
        label="Export"
        value={read}
        max={total}
        text={text}
        className="w-full"
      />
    </div>
  );
}

function countEntries(count: number): string {
  return countOf(count, 'entry', 'entries');
}

const formats = [
  { value: 'csv', label: 'CSV', description: 'For spreadsheets. No cell is read as a formula.' },
  { value: 'jsonl', label: 'JSON lines', description: 'For programs: one entry per line.' },
] as const;

/** A line of text for each filter that is set; empty if none is. */
function describeFilter(view: AuditView, actorName: string | undefined): string[] {
  const { actor, action, target, since, from, to } = view;
  const kind = isKeyOf(actorKinds, actor) ? actorKinds[actor] : undefined;
  return [
    actor !== '' && `Actor: ${kind ?? actorName ?? actor}`,
    action !== '' && `Action: ${labelOfAction(action)}`,
    target !== '' && `Target ID: ${target}`,
    !hasWindow(view) && since !== 'any' && `Time: ${auditSpans[since].label}`,
    from !== null && `Since: ${formatShort(from)}`,
    to !== null && `Before: ${formatShort(to)}`,
  ].filter((part) => part !== false);
}

type ExportState =
  | { kind: 'idle' }
  | { kind: 'running'; progress: ExportProgress | null }
  | { kind: 'done'; progress: ExportProgress; fileName: string }
  | { kind: 'cancelled' }
  /** `deadline`: when the rate limit ends that refused the export. Null: another reason. */
  | { kind: 'failed'; message: string; deadline: Deadline | null };

/** Runs one export at a time, which is aborted when the component unmounts. */
function useExport(accountId: string) {
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
    ? 'The connection was interrupted.'
    : error.message;
}

type ExportProgress = { read: number; total: number };

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
async function runExport({
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

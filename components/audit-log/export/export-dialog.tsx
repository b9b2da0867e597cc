'use client';

import { type RefObject, useState } from 'react';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { rateLimitReason, useSecondsLeft } from '#components/shell/feedback/rate-limit.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Meter } from '#components/ui/feedback/meter.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { Dialog } from '#components/ui/overlays/dialog.tsx';
import type { ExportFormat } from '#lib/contract/audit-log/audit-log.ts';
import { countOf, formatCount } from '#lib/count.ts';

import { type AuditView, toAuditFilter } from '../audit-view.ts';
import { describeFilter } from './describe-filter.ts';
import { writesToDisk } from './file-sink.ts';
import type { ExportProgress } from './run-export.ts';
import { type ExportState, useExport } from './use-export.ts';

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

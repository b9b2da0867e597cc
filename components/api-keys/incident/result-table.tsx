import type { ReactNode } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Status, type StatusMark } from '#components/ui/data-display/status.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { type Columns, RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type {
  IncidentResult,
  IncidentWithKeys,
} from '#lib/contract/api-keys/incidents/incident.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import { unconfirmedToken } from '../unconfirmed-token.ts';

type KeyResult = IncidentWithKeys['keys'][number];

type Context = {
  act: IncidentWithKeys['act'];
  /** The key as it is now; undefined if it is not known. */
  keyOf: (keyResult: KeyResult) => ApiKey | undefined;
  /** Whether the key has an unconfirmed token that the person can replace. */
  canShow: (apiKey: ApiKey) => boolean;
  /** Replaces an unconfirmed token and shows the new one. */
  onShow: (apiKey: ApiKey, opener: HTMLElement | null) => void;
};

type ResultTableProps = Omit<Context, 'act'> & { incident: IncidentWithKeys };

/** The result for each key, with the button that shows its new token. */
export function ResultTable({ incident, keyOf, canShow, onShow }: ResultTableProps) {
  return (
    <DataTable
      caption={`Keys of the incident: ${incident.reason}`}
      columns={columns}
      cells={cells}
      rows={incident.keys}
      context={{ act: incident.act, keyOf, canShow, onShow }}
      rowProps={({ uuid, result }) => ({ key: uuid, isEnded: result === 'cancelled' })}
    />
  );
}

const columns = [
  { id: 'key', header: 'Key', onPhone: 'main' },
  { id: 'result', header: 'Result', width: 280, onPhone: 'top-end' },
  {
    id: 'token',
    header: 'New token',
    isHeaderHidden: true,
    width: 132,
    isNumeric: true,
    onPhone: 'bottom-end',
  },
] as const satisfies Columns;

const cells: Cells<typeof columns, KeyResult, Context> = {
  key: (keyResult) => (
    <>
      <RowName>
        <PageLink href={apiKeyPath(keyResult)} title={keyResult.name}>
          {keyResult.name}
        </PageLink>
      </RowName>
      <SecondLine>
        was <MaskedToken lastFour={keyResult.last_four} form="short" />
      </SecondLine>
    </>
  ),
  result: (keyResult, { act, keyOf }) => (
    <Status
      mark={looks[keyResult.result].mark}
      sub={<span className="whitespace-normal">{subOf(keyResult, keyOf(keyResult))}</span>}
    >
      {keyResult.result === 'done' ? done[act] : looks[keyResult.result].label}
    </Status>
  ),
  token: (keyResult, { keyOf, canShow, onShow }) => {
    const apiKey = keyOf(keyResult);
    if (apiKey === undefined || !canShow(apiKey)) return null;
    return (
      <Button
        size="small"
        className="max-sm:mt-1.5"
        onClick={({ currentTarget }) => onShow(apiKey, currentTarget)}
      >
        Show a new token<span className="sr-only"> of {keyResult.name}</span>
      </Button>
    );
  },
};

function subOf(keyResult: KeyResult, apiKey: ApiKey | undefined): ReactNode {
  if (keyResult.problem !== null) return keyResult.problem;
  if (keyResult.result !== 'done' || !apiKey) return undefined;
  const waiting = unconfirmedToken(apiKey)?.unconfirmed;
  if (waiting === undefined) return undefined;
  return waiting.shown_to === null
    ? 'New token not shown yet'
    : `New token shown to ${waiting.shown_to.name}, not confirmed`;
}

const done = { rotate: 'Rotated', revoke: 'Revoked', pause: 'Paused', resume: 'Resumed' };

const looks: Record<IncidentResult, { mark: StatusMark; label: string }> = {
  waiting: { mark: 'open', label: 'Waiting' },
  done: { mark: 'ok', label: 'Done' },
  skipped: { mark: 'warning', label: 'Skipped' },
  failed: { mark: 'failed', label: 'Failed' },
  cancelled: { mark: 'ended', label: 'Cancelled' },
};

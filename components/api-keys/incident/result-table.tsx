'use client';

import { type ReactNode, useRef } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Status, type StatusMark } from '#components/ui/data-display/status.tsx';
import {
  Cell,
  ColumnHeader,
  Row,
  RowName,
  SecondLine,
  Table,
  TableBody,
  TableHead,
} from '#components/ui/data-display/table.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type {
  IncidentResult,
  IncidentWithKeys,
} from '#lib/contract/api-keys/incidents/incident.ts';

import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import { unconfirmedToken } from '../unconfirmed-token.ts';

export function ResultTable({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <Table caption={caption}>
      <TableHead>
        <ColumnHeader>Key</ColumnHeader>
        <ColumnHeader width={280}>Result</ColumnHeader>
        <ColumnHeader width={132} isHidden>
          New token
        </ColumnHeader>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  );
}

type ResultRowProps = {
  incident: Pick<IncidentWithKeys, 'act'>;
  keyResult: IncidentWithKeys['keys'][number];
  /** The key as it is now; undefined if it is not known. */
  apiKey: ApiKey | undefined;
  /** Replaces an unconfirmed token and shows the new one; undefined if the key has none. */
  onShow: ((opener: HTMLElement | null) => void) | undefined;
};

/** The result for one key, with the button that shows its new token. */
export function ResultRow({ incident, keyResult, apiKey, onShow }: ResultRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { mark, label } = looks[keyResult.result];
  return (
    <Row isEnded={keyResult.result === 'cancelled'}>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <PageLink href={apiKeyPath(keyResult)} title={keyResult.name}>
            {keyResult.name}
          </PageLink>
        </RowName>
        <SecondLine>
          was <MaskedToken lastFour={keyResult.last_four} form="short" />
        </SecondLine>
      </Cell>
      <Cell onPhone="top-end">
        <Status
          mark={mark}
          sub={<span className="whitespace-normal">{subOf(keyResult, apiKey)}</span>}
        >
          {keyResult.result === 'done' ? done[incident.act] : label}
        </Status>
      </Cell>
      <Cell onPhone="bottom-end" isNumeric>
        {onShow && (
          <Button
            ref={button}
            size="small"
            className="max-sm:mt-1.5"
            onClick={() => onShow(button.current)}
          >
            Show a new token<span className="sr-only"> of {keyResult.name}</span>
          </Button>
        )}
      </Cell>
    </Row>
  );
}

function subOf(keyResult: ResultRowProps['keyResult'], apiKey: ApiKey | undefined): ReactNode {
  if (keyResult.problem !== null) return keyResult.problem;
  if (keyResult.result !== 'done' || !apiKey) return undefined;
  const waiting = unconfirmedToken(apiKey)?.unconfirmed;
  if (waiting === undefined) return undefined;
  return waiting.shown_to === null
    ? 'Nobody was shown the new token'
    : `New token shown to ${waiting.shown_to.name}, not confirmed`;
}

const done = { rotate: 'Rotated', revoke: 'Revoked' };

const looks: Record<IncidentResult, { mark: StatusMark; label: string }> = {
  waiting: { mark: 'open', label: 'Waiting' },
  done: { mark: 'ok', label: 'Done' },
  skipped: { mark: 'warning', label: 'Skipped' },
  failed: { mark: 'failed', label: 'Failed' },
  cancelled: { mark: 'ended', label: 'Cancelled' },
};

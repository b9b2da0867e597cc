'use client';

import { Pencil } from 'lucide-react';
import { useRef } from 'react';

import { Menu, MenuLink } from '#components/ui/overlays/menu.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import {
  Cell,
  WhenColumnHidden,
  Row,
  RowName,
  SecondLine,
} from '#components/ui/data-display/table.tsx';
import { TagList } from '#components/ui/data-display/tag.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { apiKeyLinkId, apiKeyPath } from '../api-key-path.ts';
import { ApiKeyStatus } from '../api-key-status.tsx';
import { KeyScopes } from './key-scopes.tsx';
import { KeyTypeLabel, keyTypeTable } from '../key-type.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { NeverUsed } from '../never-used.tsx';
import { RotationRequestSummary } from '../rotation/request/rotation-request-summary.tsx';
import { ApiKeyMenuItems } from '../actions/api-key-menu-items.tsx';
import { RotationMenuItem } from '../actions/rotation-menu-item.tsx';
import { keyLastUse } from '../token-last-use.ts';
import type { KeyActions } from '../actions/use-api-key-actions.ts';

type ApiKeyRowProps = {
  apiKey: ApiKey;
  /** The open rotation request of the key, if there is one. */
  request: RotationRequest | null;
  /** The person who is signed in. */
  personId: string;
  now: Date;
  actions: KeyActions;
};

export function ApiKeyRow({ apiKey, request, personId, now, actions }: ApiKeyRowProps) {
  const state = apiKeyState(apiKey, now);
  const isEnded = isEndedState(state);
  // On a phone, a status other than active takes the right side alone, without the last use.
  const isPlain = state === 'active' && request === null;
  return (
    <Row isEnded={isEnded}>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <PageLink id={apiKeyLinkId(apiKey)} href={apiKeyPath(apiKey)} title={apiKey.name}>
            {apiKey.name}
          </PageLink>
        </RowName>
        <SecondLine>
          <MaskedToken lastFour={apiKey.last_four} form="fit" />
          <WhenColumnHidden hideBelow="880px">
            {' '}
            · {keyTypeTable[apiKey.type].label}
          </WhenColumnHidden>
        </SecondLine>
        {apiKey.tags.length > 0 && (
          <span className="mt-1 block max-sm:hidden">
            <TagList values={apiKey.tags} shown={2} mono={false} />
          </span>
        )}
      </Cell>
      <Cell hideBelow="880px">
        <KeyTypeLabel type={apiKey.type} />
      </Cell>
      <Cell hideBelow="740px">
        <KeyScopes scopes={apiKey.scopes} />
      </Cell>
      <Cell onPhone={isPlain ? 'bottom-end' : undefined}>
        {apiKey.last_used_at === null ? (
          <NeverUsed tokens={keyLastUse(apiKey).unusedTokens} />
        ) : (
          <>
            <RelativeTime value={apiKey.last_used_at} />
            {apiKey.last_used_ip !== null && (
              <SecondLine mono className="max-sm:hidden">
                {apiKey.last_used_ip}
              </SecondLine>
            )}
          </>
        )}
      </Cell>
      <Cell onPhone={isPlain ? 'top-end' : 'end'}>
        <ApiKeyStatus apiKey={apiKey} now={now} />
        {request && !isEnded && (
          <SecondLine className="pl-[21px] whitespace-normal max-sm:pl-0">
            <span className="max-sm:hidden">
              <RotationRequestSummary form="short" request={request} personId={personId} />
            </span>
            <span className="sm:hidden">Rotation requested</span>
          </SecondLine>
        )}
      </Cell>
      <Cell onPhone="menu">
        <span className="-my-1 block">
          <Actions apiKey={apiKey} actions={actions} isEnded={isEnded} />
        </span>
      </Cell>
    </Row>
  );
}

function Actions({
  apiKey,
  actions,
  isEnded,
}: {
  apiKey: ApiKey;
  actions: KeyActions;
  isEnded: boolean;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { mayEdit } = actions;
  return (
    <Menu label={`Actions for ${apiKey.name}`} triggerRef={trigger}>
      {!isEnded && <RotationMenuItem apiKey={apiKey} actions={actions} opener={trigger} />}
      {mayEdit && !isEnded && (
        <MenuLink icon={<Pencil />} href={`${apiKeyPath(apiKey)}/edit`}>
          Edit key
        </MenuLink>
      )}
      <ApiKeyMenuItems apiKey={apiKey} actions={actions} isEnded={isEnded} opener={trigger} />
    </Menu>
  );
}

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
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import {
  apiKeyState,
  isEndedState,
  isExpiringSoon,
} from '#components/shell/states/api-key-state.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { countOf } from '#lib/count.ts';
import { formatRemaining } from '#lib/time.ts';

import { apiKeyLinkId, apiKeyPath } from '../api-key-path.ts';
import { ApiKeyStatus } from '../api-key-status.tsx';
import { KeyScopes } from './key-scopes.tsx';
import { KeyTypeLabel, keyTypeTable } from '../key-type.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { NoUse } from '../last-use.tsx';
import { RequestSummary } from '#components/shell/requests/request-summary.tsx';
import { ApiKeyMenuItems } from '../actions/api-key-menu-items.tsx';
import { RotationMenuItem } from '../actions/rotation-menu-item.tsx';
import { keyLastUse } from '../token-last-use.ts';
import type { KeyActions } from '../actions/use-api-key-actions.ts';

type ApiKeyRowProps = {
  apiKey: ApiKey;
  /** The open rotation requests of the key, the most urgent first. */
  requests: readonly RotationRequest[];
  /** The person who is signed in. */
  personId: string;
  now: Date;
  actions: KeyActions;
};

export function ApiKeyRow({ apiKey, requests, personId, now, actions }: ApiKeyRowProps) {
  const state = apiKeyState(apiKey, now);
  const isEnded = isEndedState(state);
  const { expires_at: end } = apiKey;
  // On a phone, a status other than active takes the right side alone, without the last use.
  const [request, ...more] = requests;
  const isPlain = state === 'active' && request === undefined;
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
          <WhenColumnHidden hideBelow="960px">
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
      <Cell hideBelow="960px">
        <KeyTypeLabel type={apiKey.type} />
      </Cell>
      <Cell hideBelow="880px">
        <KeyScopes scopes={apiKey.scopes} />
      </Cell>
      <Cell onPhone={isPlain ? 'bottom-end' : undefined}>
        {apiKey.last_used_at === null ? (
          <NoUse unusedTokens={keyLastUse(apiKey).unusedTokens} />
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
      <Cell hideBelow="740px">
        <Expiry apiKey={apiKey} now={now} isEnded={isEnded} />
      </Cell>
      <Cell onPhone={isPlain ? 'top-end' : 'end'}>
        <ApiKeyStatus apiKey={apiKey} now={now} />
        {!isEnded && state !== 'expiring' && end !== null && isExpiringSoon(apiKey, now) && (
          <WhenColumnHidden hideBelow="740px">
            <SecondLine className="pl-[21px] text-warn max-sm:pl-0">
              Expires in {formatRemaining(new Date(end), now)}
            </SecondLine>
          </WhenColumnHidden>
        )}
        {request && !isEnded && (
          <SecondLine className="pl-[21px] whitespace-normal max-sm:pl-0">
            <span className="max-sm:hidden">
              <RequestSummary form="short" request={request} personId={personId} />
              {more.length > 0 && `, and ${countOf(more.length, 'other request')}`}
            </span>
            <span className="sm:hidden">
              {more.length > 0 ? countOf(requests.length, 'request') : 'Rotation requested'}
            </span>
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

function Expiry({ apiKey, now, isEnded }: { apiKey: ApiKey; now: Date; isEnded: boolean }) {
  const { expires_at: end } = apiKey;
  if (end === null) return <span className="text-ink-3">Never</span>;
  return (
    <>
      <ExactTime form="day" value={end} />
      {!isEnded && (
        <SecondLine className={cn(isExpiringSoon(apiKey, now) && 'text-warn')}>
          in {formatRemaining(new Date(end), now)}
        </SecondLine>
      )}
    </>
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

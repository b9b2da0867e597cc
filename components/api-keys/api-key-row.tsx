'use client';

import { Ban, Copy, Pencil } from 'lucide-react';
import { useRef } from 'react';

import { Menu, MenuItem, MenuLine, MenuLink } from '#components/ui/menu.tsx';
import { PageLink } from '#components/ui/page-link.tsx';
import { Cell, OnceLeft, Row, RowName, Second } from '#components/ui/table.tsx';
import { RelativeTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { apiKeyPath } from './api-key-path.ts';
import { apiKeyState } from './api-key-state.ts';
import { ApiKeyStatus } from './api-key-status.tsx';
import { KeyScopes } from './key-scopes.tsx';
import { KeyTypeLabel, keyTypeTable } from './key-type.tsx';
import { MaskedToken } from './masked-token.tsx';
import { RotationAsked } from './rotation-asked.tsx';
import { revocationOf, RotationItem } from './rotation-item.tsx';
import type { KeyActs } from './use-api-key-acts.ts';

type ApiKeyRowProps = {
  apiKey: ApiKey;
  /** Who was asked to rotate it, if somebody was. */
  request: RotationRequest | null;
  /** The reader. */
  personId: string;
  now: Date;
  acts: KeyActs;
};

export function ApiKeyRow({ apiKey, request, personId, now, acts }: ApiKeyRowProps) {
  const state = apiKeyState(apiKey, now);
  const isGone = state === 'revoked' || state === 'expired';
  // On a phone what needs watching takes the whole right side, and the last use steps back.
  const isPlain = state === 'active' && request === null;
  return (
    <Row isGone={isGone}>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <PageLink href={apiKeyPath(apiKey)} title={apiKey.name}>
            {apiKey.name}
          </PageLink>
        </RowName>
        <Second>
          <MaskedToken lastFour={apiKey.last_four} form="fit" />
          <OnceLeft leaves="first"> · {keyTypeTable[apiKey.type].label}</OnceLeft>
        </Second>
      </Cell>
      <Cell leaves="first">
        <KeyTypeLabel type={apiKey.type} />
      </Cell>
      <Cell leaves="second">
        <KeyScopes scopes={apiKey.scopes} />
      </Cell>
      <Cell onPhone={isPlain ? 'bottom-end' : undefined}>
        {apiKey.last_used_at === null ? (
          <span className="text-ink-3">Never</span>
        ) : (
          <>
            <RelativeTime value={apiKey.last_used_at} />
            {apiKey.last_used_ip !== null && (
              <Second mono className="max-sm:hidden">
                {apiKey.last_used_ip}
              </Second>
            )}
          </>
        )}
      </Cell>
      <Cell onPhone={isPlain ? 'top-end' : 'end'}>
        <ApiKeyStatus apiKey={apiKey} now={now} />
        {request && !isGone && (
          <Second className="pl-[21px] whitespace-normal max-sm:pl-0">
            <span className="max-sm:hidden">
              <RotationAsked form="short" request={request} personId={personId} />
            </span>
            <span className="sm:hidden">Rotation asked</span>
          </Second>
        )}
      </Cell>
      <Cell onPhone="menu">
        <span className="-my-1 block">
          <Actions apiKey={apiKey} acts={acts} isGone={isGone} />
        </span>
      </Cell>
    </Row>
  );
}

function Actions({ apiKey, acts, isGone }: { apiKey: ApiKey; acts: KeyActs; isGone: boolean }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { mayEdit, onCopyId } = acts;
  const revoke = revocationOf(apiKey, acts);
  return (
    <Menu label={`Actions for ${apiKey.name}`} triggerRef={trigger}>
      {!isGone && <RotationItem apiKey={apiKey} acts={acts} opener={trigger} />}
      {mayEdit && !isGone && (
        <MenuLink icon={<Pencil />} href={`${apiKeyPath(apiKey)}/edit`}>
          Edit key
        </MenuLink>
      )}
      <MenuItem icon={<Copy />} onSelect={() => onCopyId(apiKey, trigger.current)}>
        Copy key ID
      </MenuItem>
      {revoke && !isGone && (
        <>
          <MenuLine />
          <MenuItem icon={<Ban />} tone="danger" onSelect={() => revoke(apiKey, trigger.current)}>
            Revoke {apiKey.name}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

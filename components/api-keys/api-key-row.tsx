'use client';

import { Copy, RotateCw } from 'lucide-react';
import { useRef } from 'react';

import { Menu, MenuItem } from '#components/ui/menu.tsx';
import { Cell, OnceLeft, Row, RowName, Second } from '#components/ui/table.tsx';
import { RelativeTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { apiKeyState } from './api-key-state.ts';
import { ApiKeyStatus } from './api-key-status.tsx';
import { KeyScopes } from './key-scopes.tsx';
import { KeyTypeLabel, keyTypeTable } from './key-type.tsx';
import { MaskedToken } from './masked-token.tsx';

/** An act upon a row's key; `opener` is where focus returns to. */
export type RowAct = (apiKey: ApiKey, opener: HTMLElement | null) => void;

type ApiKeyRowProps = {
  apiKey: ApiKey;
  now: Date;
  /** Left out for people who may not rotate any key. */
  onRotate: RowAct | undefined;
  onCopyId: RowAct;
};

export function ApiKeyRow({ apiKey, now, onRotate, onCopyId }: ApiKeyRowProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const state = apiKeyState(apiKey, now);
  const isGone = state === 'revoked' || state === 'expired';
  // On a phone what needs watching takes the whole right side, and the last use steps back.
  const isPlain = state === 'active';
  return (
    <Row isGone={isGone}>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <span title={apiKey.name}>{apiKey.name}</span>
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
      </Cell>
      <Cell onPhone="menu">
        <span className="-my-1 block">
          <Menu label={`Actions for ${apiKey.name}`} triggerRef={trigger}>
            {onRotate && !isGone && (
              <MenuItem icon={<RotateCw />} onSelect={() => onRotate(apiKey, trigger.current)}>
                Rotate token
              </MenuItem>
            )}
            <MenuItem icon={<Copy />} onSelect={() => onCopyId(apiKey, trigger.current)}>
              Copy key ID
            </MenuItem>
          </Menu>
        </span>
      </Cell>
    </Row>
  );
}

'use client';

import { Ban, Copy, Pencil, RotateCw } from 'lucide-react';
import Link from 'next/link';
import { useRef } from 'react';

import { Menu, MenuItem, MenuLine, MenuLink } from '#components/ui/menu.tsx';
import { Cell, OnceLeft, Row, RowName, Second } from '#components/ui/table.tsx';
import { RelativeTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { apiKeyPath } from './api-key-path.ts';
import { apiKeyState } from './api-key-state.ts';
import { ApiKeyStatus } from './api-key-status.tsx';
import { KeyScopes } from './key-scopes.tsx';
import { KeyTypeLabel, keyTypeTable } from './key-type.tsx';
import { MaskedToken } from './masked-token.tsx';
import type { KeyActs } from './use-api-key-acts.ts';

type ApiKeyRowProps = { apiKey: ApiKey; now: Date; acts: KeyActs };

export function ApiKeyRow({ apiKey, now, acts }: ApiKeyRowProps) {
  const state = apiKeyState(apiKey, now);
  const isGone = state === 'revoked' || state === 'expired';
  // On a phone what needs watching takes the whole right side, and the last use steps back.
  const isPlain = state === 'active';
  return (
    <Row isGone={isGone}>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <Link
            href={apiKeyPath(apiKey)}
            title={apiKey.name}
            // Up to 200 rows stand here; asked for beforehand they would use up a minute's calls.
            prefetch={false}
          >
            {apiKey.name}
          </Link>
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
          <Actions apiKey={apiKey} acts={acts} isGone={isGone} />
        </span>
      </Cell>
    </Row>
  );
}

function Actions({ apiKey, acts, isGone }: { apiKey: ApiKey; acts: KeyActs; isGone: boolean }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { onRotate, onRevoke, mayEdit, onCopyId } = acts;
  return (
    <Menu label={`Actions for ${apiKey.name}`} triggerRef={trigger}>
      {onRotate && !isGone && (
        <MenuItem icon={<RotateCw />} onSelect={() => onRotate(apiKey, trigger.current)}>
          Rotate token
        </MenuItem>
      )}
      {mayEdit && !isGone && (
        <MenuLink icon={<Pencil />} href={`${apiKeyPath(apiKey)}/edit`}>
          Edit key
        </MenuLink>
      )}
      <MenuItem icon={<Copy />} onSelect={() => onCopyId(apiKey, trigger.current)}>
        Copy key ID
      </MenuItem>
      {onRevoke && !isGone && (
        <>
          <MenuLine />
          <MenuItem icon={<Ban />} tone="danger" onSelect={() => onRevoke(apiKey, trigger.current)}>
            Revoke {apiKey.name}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

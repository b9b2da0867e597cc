'use client';

import { Ban, Copy, Ellipsis, MessageSquareText, Pencil, RotateCw } from 'lucide-react';
import { useRef } from 'react';

import { PageHeading } from '#components/shell/page-heading.tsx';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '#components/ui/menu.tsx';
import { RelativeTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { apiKeyPath } from './api-key-path.ts';
import { apiKeyState } from './api-key-state.ts';
import { ApiKeyStatusWord } from './api-key-status.tsx';
import { KeyTypeLabel } from './key-type.tsx';
import { MaskedToken } from './masked-token.tsx';
import { revocationOf } from './rotation-item.tsx';
import type { KeyActs } from './use-api-key-acts.ts';

/** Undefined: nothing could be read, and nothing can be done. */
type ApiKeyHeadingProps = { apiKey: ApiKey | undefined; now: Date; acts: KeyActs };

export function ApiKeyHeading({ apiKey, now, acts }: ApiKeyHeadingProps) {
  return (
    <PageHeading
      crumb={{ href: 'settings/api-keys', label: 'API keys' }}
      title={apiKey?.name ?? 'API key'}
      sentence={apiKey && <Summary apiKey={apiKey} now={now} />}
      actions={apiKey && <Actions apiKey={apiKey} now={now} acts={acts} />}
    />
  );
}

function Summary({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  return (
    <>
      <MaskedToken lastFour={apiKey.last_four} />
      <span className="mt-1.5 flex flex-wrap gap-x-6 gap-y-1">
        <ApiKeyStatusWord apiKey={apiKey} now={now} />
        <KeyTypeLabel type={apiKey.type} />
        <span className="text-ink-3">
          {apiKey.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Used <RelativeTime isMidSentence value={apiKey.last_used_at} />
            </>
          )}
        </span>
      </span>
    </>
  );
}

function Actions({ apiKey, now, acts }: { apiKey: ApiKey; now: Date; acts: KeyActs }) {
  const rotate = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const { rotationOf, onRotate, onRequestRotation, mayEdit, onCopyId } = acts;
  const rotation = rotationOf(apiKey).kind;
  const revoke = revocationOf(apiKey, acts);
  const state = apiKeyState(apiKey, now);
  const isGone = state === 'revoked' || state === 'expired';
  const label = `Actions for ${apiKey.name}`;
  return (
    <>
      {rotation === 'rotate' && !isGone && (
        <Button ref={rotate} icon={<RotateCw />} onClick={() => onRotate(apiKey, rotate.current)}>
          Rotate token
        </Button>
      )}
      {rotation === 'request' && !isGone && (
        <Button
          ref={rotate}
          icon={<MessageSquareText />}
          onClick={() => onRequestRotation(apiKey, rotate.current)}
        >
          Request rotation
        </Button>
      )}
      {mayEdit && !isGone && (
        <ButtonLink icon={<Pencil />} href={`${apiKeyPath(apiKey)}/edit`}>
          Edit key
        </ButtonLink>
      )}
      <Menu
        label={label}
        triggerRef={more}
        trigger={<IconButton label={label} icon={<Ellipsis />} variant="secondary" size="normal" />}
      >
        <MenuItem icon={<Copy />} onSelect={() => onCopyId(apiKey, more.current)}>
          Copy key ID
        </MenuItem>
        {revoke && !isGone && (
          <>
            <MenuLine />
            <MenuItem icon={<Ban />} tone="danger" onSelect={() => revoke(apiKey, more.current)}>
              Revoke {apiKey.name}
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}

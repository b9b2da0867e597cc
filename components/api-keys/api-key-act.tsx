'use client';

import type { FocusTarget } from '#components/ui/dialog.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { Role } from '#lib/contract/roles.ts';

import { EndPreviousToken } from './end-previous-token.tsx';
import { KeyIdDialog } from './key-id-dialog.tsx';
import { RevokeApiKey } from './revoke-api-key.tsx';
import { RotateApiKey } from './rotate-api-key.tsx';

/** An act that was asked for, the key as it stood then, and from where it was asked. */
export type AskedAct = {
  kind: 'rotate' | 'revoke' | 'end-previous' | 'show-id';
  apiKey: ApiKey;
  opener: HTMLElement | null;
};

type ApiKeyActProps = {
  asked: AskedAct;
  /** The key as it was read last, if it was. */
  current: ApiKey | undefined;
  now: Date;
  role: Role;
  accountName: string;
  finalFocus: FocusTarget;
  /** What was read no longer tells the truth about this key. */
  onStale: () => void;
  onClosed: (didChange: boolean) => void;
};

/** The dialog of an act upon one key. */
export function ApiKeyAct({ asked, current, finalFocus, onClosed, ...more }: ApiKeyActProps) {
  const { now, role, accountName, onStale } = more;
  const { kind, apiKey } = asked;
  const close = () => onClosed(false);
  const closeChanged = () => onClosed(true);
  switch (kind) {
    case 'rotate':
      return (
        <RotateApiKey
          // A refusal because someone else was faster is followed by how the key stands now.
          apiKey={current ?? apiKey}
          now={now}
          role={role}
          accountName={accountName}
          finalFocus={finalFocus}
          onStale={onStale}
          onClosed={onClosed}
        />
      );
    case 'revoke':
      return (
        <RevokeApiKey
          apiKey={apiKey}
          now={now}
          finalFocus={finalFocus}
          onClose={close}
          onRevoked={closeChanged}
        />
      );
    case 'end-previous':
      return (
        apiKey.previous_token && (
          <EndPreviousToken
            apiKey={apiKey}
            older={apiKey.previous_token}
            finalFocus={finalFocus}
            onClose={close}
            onEnded={closeChanged}
          />
        )
      );
    case 'show-id':
      return (
        <KeyIdDialog
          uuid={apiKey.uuid}
          name={apiKey.name}
          finalFocus={finalFocus}
          onClosed={close}
        />
      );
  }
}

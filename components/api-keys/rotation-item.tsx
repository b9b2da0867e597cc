'use client';

import { MessageSquareText, RotateCw, Undo2 } from 'lucide-react';
import type { RefObject } from 'react';

import { MenuItem } from '#components/ui/menu.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import type { KeyAct, KeyActs } from './use-api-key-acts.ts';

type RotationItemProps = {
  apiKey: ApiKey;
  acts: KeyActs;
  opener: RefObject<HTMLButtonElement | null>;
};

/** The way in which this person gets a key rotated, as an item of its menu. */
export function RotationItem({ apiKey, acts, opener }: RotationItemProps) {
  switch (acts.rotationOf(apiKey).kind) {
    case 'none':
      return null;
    case 'rotate':
      return (
        <MenuItem icon={<RotateCw />} onSelect={() => acts.onRotate(apiKey, opener.current)}>
          Rotate token
        </MenuItem>
      );
    case 'request':
      return (
        <MenuItem
          icon={<MessageSquareText />}
          onSelect={() => acts.onRequestRotation(apiKey, opener.current)}
        >
          Request rotation
        </MenuItem>
      );
    case 'asked':
      return (
        <MenuItem icon={<Undo2 />} onSelect={() => acts.onClose(apiKey, opener.current)}>
          Withdraw request
        </MenuItem>
      );
  }
}

/** How this person may end a key: by their role, or because they reported that it leaked. */
export function revocationOf(apiKey: ApiKey, acts: KeyActs): KeyAct | undefined {
  if (acts.onRevoke) return acts.onRevoke;
  const rotation = acts.rotationOf(apiKey);
  const isLeaked = rotation.kind === 'asked' && rotation.request.reason === 'leaked';
  return isLeaked ? acts.onRevokeLeaked : undefined;
}

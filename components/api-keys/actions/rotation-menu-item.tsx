import { MessageSquareText, RotateCw, Undo2 } from 'lucide-react';
import type { RefObject } from 'react';
import { MenuItem } from '#components/ui/overlays/menu.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { KeyActions } from './use-api-key-actions.ts';

type RotationMenuItemProps = {
  apiKey: ApiKey;
  actions: KeyActions;
  opener: RefObject<HTMLButtonElement | null>;
};

export function RotationMenuItem({ apiKey, actions, opener }: RotationMenuItemProps) {
  const rotation = actions.rotationOptionFor(apiKey);
  switch (rotation.kind) {
    case 'none':
      return null;
    case 'rotate':
      return (
        <MenuItem icon={<RotateCw />} onSelect={() => actions.onRotate(apiKey, opener.current)}>
          Rotate token
        </MenuItem>
      );
    case 'request':
      return (
        <MenuItem
          icon={<MessageSquareText />}
          onSelect={() => actions.onRequestRotation(apiKey, opener.current)}
        >
          Request rotation
        </MenuItem>
      );
    case 'requested':
      return (
        <MenuItem
          icon={<Undo2 />}
          onSelect={() => actions.onCloseRequest(apiKey, opener.current, rotation.request)}
        >
          Withdraw request
        </MenuItem>
      );
  }
}

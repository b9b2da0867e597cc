import { Ban, CirclePause, CirclePlay, Copy, MessageSquareText, ScrollText } from 'lucide-react';
import type { RefObject } from 'react';
import { MenuItem, MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { auditLogPathOf } from '#lib/paths/audit-log-path.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { KeyActions, KeyHandler } from './use-api-key-actions.ts';

type ApiKeyMenuItemsProps = {
  apiKey: ApiKey;
  actions: KeyActions;
  /** Whether the key was revoked or has expired. */
  isEnded: boolean;
  opener: RefObject<HTMLButtonElement | null>;
};

/** The menu items that a key has in the list and on its page. */
export function ApiKeyMenuItems({ apiKey, actions, isEnded, opener }: ApiKeyMenuItemsProps) {
  const revoke = revokeHandlerOf(apiKey, actions);
  const isPaused = apiKey.status === 'paused';
  const pause = isPaused ? actions.onResume : actions.onPause;
  const rotation = actions.rotationOptionFor(apiKey);
  return (
    <>
      {rotation.kind === 'requested' && rotation.request.reason !== 'leaked' && !isEnded && (
        <MenuItem
          icon={<MessageSquareText />}
          onSelect={() => actions.onReportLeak(apiKey, opener.current)}
        >
          Report leak
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => actions.onCopyId(apiKey, opener.current)}>
        Copy key ID
      </MenuItem>
      {actions.mayReadAuditLog && (
        <>
          <MenuLink icon={<ScrollText />} href={auditLogPathOf({ target: apiKey.uuid })}>
            Changes to this key
          </MenuLink>
          <MenuLink icon={<ScrollText />} href={auditLogPathOf({ actor: apiKey.uuid })}>
            Changes made with this key
          </MenuLink>
        </>
      )}
      {(revoke || pause) && !isEnded && <MenuSeparator />}
      {pause && !isEnded && (
        <MenuItem
          icon={isPaused ? <CirclePlay /> : <CirclePause />}
          onSelect={() => pause(apiKey, opener.current)}
        >
          {isPaused ? 'Resume' : 'Pause'} {apiKey.name}
        </MenuItem>
      )}
      {revoke && !isEnded && (
        <MenuItem icon={<Ban />} tone="danger" onSelect={() => revoke(apiKey, opener.current)}>
          Revoke {apiKey.name}
        </MenuItem>
      )}
    </>
  );
}

/** Revokes the key, by role or for a reported leak; undefined if the person cannot. */
function revokeHandlerOf(apiKey: ApiKey, actions: KeyActions): KeyHandler | undefined {
  if (actions.onRevoke) return actions.onRevoke;
  const rotation = actions.rotationOptionFor(apiKey);
  const isLeaked = rotation.kind === 'requested' && rotation.request.reason === 'leaked';
  return isLeaked ? actions.onRevokeLeaked : undefined;
}

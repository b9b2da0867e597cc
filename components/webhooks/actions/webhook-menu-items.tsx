import { Copy, MessageSquareText, Pencil, RotateCw, ScrollText, Trash2 } from 'lucide-react';
import type { RefObject } from 'react';
import { MenuItem, MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { auditLogPathOf } from '#lib/paths/audit-log-path.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { webhookPath } from '../webhook-path.ts';
import type { WebhookActions } from './webhook-actions.ts';

type WebhookMenuItemsProps = {
  webhook: Webhook;
  actions: WebhookActions;
  opener: RefObject<HTMLButtonElement | null>;
};

/** The menu items that a webhook has in the list and on its page. */
export function WebhookMenuItems({ webhook, actions, opener }: WebhookMenuItemsProps) {
  const { onRegenerate, onAskForSecret, onCopyId, onDelete, mayEdit } = actions;
  return (
    <>
      {mayEdit && (
        <MenuLink icon={<Pencil />} href={`${webhookPath(webhook)}/edit`}>
          Edit webhook
        </MenuLink>
      )}
      {webhook.status !== 'pending_setup' && onRegenerate && (
        <MenuItem icon={<RotateCw />} onSelect={() => onRegenerate(webhook, opener.current)}>
          {webhook.secret.was_shown ? 'Regenerate secret' : 'Generate secret'}
        </MenuItem>
      )}
      {webhook.status !== 'pending_setup' && onAskForSecret && (
        <MenuItem
          icon={<MessageSquareText />}
          onSelect={() => onAskForSecret(webhook, opener.current)}
        >
          Ask for a new secret
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => onCopyId(webhook, opener.current)}>
        Copy webhook ID
      </MenuItem>
      {actions.mayReadAuditLog && (
        <MenuLink icon={<ScrollText />} href={auditLogPathOf({ target: webhook.uuid })}>
          Changes to this webhook
        </MenuLink>
      )}
      {onDelete && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={<Trash2 />}
            tone="danger"
            onSelect={() => onDelete(webhook, opener.current)}
          >
            Delete {webhook.name}
          </MenuItem>
        </>
      )}
    </>
  );
}

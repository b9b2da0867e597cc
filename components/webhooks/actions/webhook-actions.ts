import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { mayAct, type Role } from '#lib/contract/rights/roles.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

/** Starts an action on a webhook. The focus returns to `opener` afterwards. */
export type WebhookHandler = (webhook: Webhook, opener: HTMLElement | null) => void;

/** Starts an action on a request about a webhook. */
export type RequestHandler = (
  webhook: Webhook,
  opener: HTMLElement | null,
  request: RotationRequest,
) => void;

/** A secret that signs until its grace period is over. */
export type OlderSecretOfWebhook = Webhook['secret']['older'][number];

type SecretHandler = (
  webhook: Webhook,
  opener: HTMLElement | null,
  secret: OlderSecretOfWebhook,
) => void;

type Handlers = {
  onRegenerate: WebhookHandler;
  onEndSecret: SecretHandler;
  onFinishSetUp: WebhookHandler;
  onPause: WebhookHandler;
  onResume: WebhookHandler;
  onDelete: WebhookHandler;
  onSendTest: WebhookHandler;
  onAskForSecret: WebhookHandler;
  onAskToResume: WebhookHandler;
  onCloseRequest: RequestHandler;
  onCopyId: WebhookHandler;
};

/** What the person can do with a webhook. A handler is undefined if their role forbids it. */
export type WebhookActions = {
  onRegenerate: WebhookHandler | undefined;
  onEndSecret: SecretHandler | undefined;
  onFinishSetUp: WebhookHandler | undefined;
  onPause: WebhookHandler | undefined;
  onResume: WebhookHandler | undefined;
  onDelete: WebhookHandler | undefined;
  onSendTest: WebhookHandler | undefined;
  /** Asks an owner or an admin; undefined for those who need not ask. */
  onAskForSecret: WebhookHandler | undefined;
  onAskToResume: WebhookHandler | undefined;
  /** Withdraws their own request, or declines the one addressed to them. */
  onCloseRequest: RequestHandler;
  mayEdit: boolean;
  mayReadAuditLog: boolean;
  onCopyId: WebhookHandler;
};

/** Leaves out the handlers of the actions that the role does not allow. */
export function permitActions(role: Role, handlers: Handlers): WebhookActions {
  const mayUpdate = mayAct(role, 'webhooks.update');
  const mayRegenerate = mayAct(role, 'webhooks.regenerate-secret');
  const mayAsk = mayAct(role, 'requests.make');
  return {
    onRegenerate: mayRegenerate ? handlers.onRegenerate : undefined,
    onEndSecret: mayRegenerate ? handlers.onEndSecret : undefined,
    onFinishSetUp: mayRegenerate && mayUpdate ? handlers.onFinishSetUp : undefined,
    onPause: mayUpdate ? handlers.onPause : undefined,
    onResume: mayUpdate ? handlers.onResume : undefined,
    onDelete: mayAct(role, 'webhooks.delete') ? handlers.onDelete : undefined,
    onSendTest: mayAct(role, 'webhooks.test') ? handlers.onSendTest : undefined,
    onAskForSecret: mayAsk && !mayRegenerate ? handlers.onAskForSecret : undefined,
    onAskToResume: mayAsk && !mayUpdate ? handlers.onAskToResume : undefined,
    onCloseRequest: handlers.onCloseRequest,
    mayEdit: mayUpdate,
    mayReadAuditLog: mayAct(role, 'audit-log.read'),
    onCopyId: handlers.onCopyId,
  };
}

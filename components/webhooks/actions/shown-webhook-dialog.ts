import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { AskedWebhookAct } from './ask-about-webhook.tsx';
import type { CountedBacklog } from './resume-webhook.tsx';
import type { OlderSecretOfWebhook } from './webhook-actions.ts';

/** Which dialog is open, and the webhook as it was when the dialog was opened. */
export type ShownWebhookDialog =
  | { kind: 'send-test'; webhook: Webhook; accountId: string; mayChooseContent: boolean }
  | { kind: 'show-id'; webhook: Webhook }
  | { kind: 'ask'; act: AskedWebhookAct; webhook: Webhook; accountId: string }
  | { kind: 'close-request'; request: RotationRequest; webhook: Webhook; personId: string }
  | { kind: 'regenerate-secret'; webhook: Webhook; accountId: string }
  | { kind: 'end-secret'; webhook: Webhook; secret: OlderSecretOfWebhook }
  | { kind: 'delete'; webhook: Webhook; isInUse: boolean }
  | { kind: 'resume'; webhook: Webhook; counted: CountedBacklog };

/** How the dialog was closed. `changed`: read the webhook again. `missing`: it was deleted. */
export type DialogOutcome =
  | { kind: 'cancelled' | 'changed' }
  | { kind: 'resumed' | 'deleted' | 'missing'; webhook: Webhook };

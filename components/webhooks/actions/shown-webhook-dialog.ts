import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import type { MissedEventCount } from './resume-webhook.tsx';

/** Which dialog is open, and the webhook as it was when the dialog was opened. */
export type ShownWebhookDialog =
  | { kind: 'regenerate-secret' | 'show-id'; webhook: Webhook }
  | { kind: 'send-test'; webhook: Webhook; accountId: string; mayChooseContent: boolean }
  | { kind: 'delete'; webhook: Webhook; isInUse: boolean }
  | { kind: 'resume'; webhook: Webhook; missed: MissedEventCount };

/**
 * How the dialog was closed. `changed`: the webhook must be read again. `missing`: somebody else
 * deleted it.
 */
export type DialogOutcome =
  | { kind: 'cancelled' | 'changed' }
  | { kind: 'resumed' | 'deleted' | 'missing'; webhook: Webhook };

import type { Webhook } from '#lib/contract/webhooks.ts';

import type { MissedEventCount } from './resume-webhook.tsx';

/** An act that was asked for, and the webhook as it stood then. */
export type OpenWebhookDialog =
  | { kind: 'regenerate-secret' | 'show-id'; webhook: Webhook }
  | { kind: 'delete'; webhook: Webhook; isInUse: boolean }
  | { kind: 'resume'; webhook: Webhook; missed: MissedEventCount };

/** How its dialog ended; `changed`: what was read no longer tells how the webhook stands. */
export type DialogOutcome =
  | { kind: 'cancelled' | 'changed' }
  | { kind: 'resumed' | 'deleted'; webhook: Webhook };

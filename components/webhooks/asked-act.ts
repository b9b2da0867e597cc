import type { Webhook } from '#lib/contract/webhooks.ts';

import type { Missed } from './resume-webhook.tsx';

/** An act that was asked for, and the webhook as it stood then. */
export type AskedAct =
  | { kind: 'secret' | 'id'; webhook: Webhook }
  | { kind: 'deletion'; webhook: Webhook; isInUse: boolean }
  | { kind: 'resumption'; webhook: Webhook; missed: Missed };

/** How its dialog ended; `changed`: what was read no longer tells how the webhook stands. */
export type ActOutcome =
  | { kind: 'cancelled' | 'changed' }
  | { kind: 'resumed' | 'deleted'; webhook: Webhook };

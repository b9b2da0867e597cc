import { createContext, use } from 'react';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { WebhookActions } from '../actions/webhook-actions.ts';

/** The webhook whose page is open, and what the person can do with it. */
export type ShownWebhook = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  rights: MemberRights;
  now: Date;
  actions: WebhookActions;
  isBusy: boolean;
};

export const ShownWebhookContext = createContext<ShownWebhook | null>(null);

export function useShownWebhook(): ShownWebhook {
  const shown = use(ShownWebhookContext);
  if (shown === null) throw new Error('A tab of a webhook is rendered outside its page.');
  return shown;
}

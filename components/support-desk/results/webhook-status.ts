import {
  type WebhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import type { StatusMark } from '#components/ui/data-display/status.tsx';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';

type FoundWebhook = DeskResults['webhooks']['items'][number];

/** The state of a found webhook with the icon and word of its own page. */
export function webhookStatus({ status, is_failing: isFailing }: FoundWebhook): {
  mark: StatusMark;
  label: string;
} {
  const state: WebhookState = status === 'active' && isFailing ? 'failing' : status;
  return { mark: webhookStateMarks[state], label: webhookStateLabels[state] };
}

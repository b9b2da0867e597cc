import type { StatusMark } from '#components/ui/data-display/status.tsx';
import { webhookStateLabels } from '#components/shell/states/webhook-state.ts';
import type { DeskResults } from '#lib/contract/support/support-desk.ts';

type FoundWebhook = DeskResults['webhooks']['items'][number];

/** The state of a found webhook in the word that its own page says. */
export function webhookStatus({ status, is_failing: isFailing }: FoundWebhook): {
  mark: StatusMark;
  label: string;
} {
  if (status === 'active' && isFailing) {
    return { mark: 'warning', label: webhookStateLabels.failing };
  }
  return { mark: MARKS[status], label: webhookStateLabels[status] };
}

const MARKS: Record<FoundWebhook['status'], StatusMark> = {
  active: 'ok',
  paused: 'paused',
  deactivated: 'stopped',
  pending_setup: 'unfinished',
};

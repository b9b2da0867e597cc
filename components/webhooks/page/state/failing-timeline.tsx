// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { ExactTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { formatApiTime, formatRemaining } from '#lib/time.ts';
import { type FailingStep, failingSteps } from './failing-steps.ts';

type FailingTimelineProps = {
  webhook: Webhook;
  /** Undefined until it is read. */
  next: WebhookStatistics['next_attempt'] | undefined;
  now: Date;
};

/** What happens next to a failing webhook. Warnings are hidden where there is no room. */
export function FailingTimeline({ webhook, next, now }: FailingTimelineProps) {
  return (
    <ol className="mt-3 grid gap-x-4 gap-y-1.5 sm:auto-cols-fr sm:grid-flow-col">
      {failingSteps(webhook, next, now).map(({ kind, at }, index) => (
        <li
          key={index}
          className={cn(
            'relative pl-4 @min-[55rem]:pt-4 @min-[55rem]:pl-0',
            // The dots, of which the first is filled, and the line between them.
            'before:absolute before:top-[5px] before:left-0 before:size-2 before:rounded-full before:border-[1.5px] before:border-warn-mark first:before:bg-warn-mark @min-[55rem]:before:top-0.5',
            'after:absolute after:top-[5px] after:right-[-10px] after:left-3.5 after:hidden after:h-px after:bg-warn-mark after:opacity-45 not-last:@min-[55rem]:after:block',
            kind === 'warning' && '@max-[55rem]:hidden',
          )}
        >
          <p className="min-h-4.5 font-medium text-ink tabular-nums">
            {at === null && 'None scheduled'}
            {at && (
              <>
                <ExactTime
                  value={formatApiTime(at)}
                  form={kind === 'attempt' ? 'moment' : 'short'}
                />{' '}
                <span className="font-normal text-ink-2">
                  {at > now ? `in ${formatRemaining(at, now)}` : 'is due'}
                </span>
              </>
            )}
          </p>
          <p className="text-micro">{steps[kind]}</p>
        </li>
      ))}
    </ol>
  );
}

const steps: Record<FailingStep['kind'], string> = {
  attempt: 'Next attempt',
  warning: 'Reminder by email',
  deactivation: 'Deactivated if all attempts fail',
};

import { RotateCw, SquareTerminal } from 'lucide-react';
import { useRef, useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Code } from '#components/ui/data-display/code.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { CopyDialog } from '#components/ui/overlays/copy-dialog.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useCopy } from '#components/ui/buttons/use-copy.ts';
import { retryDelivery } from '#lib/actions/webhooks.ts';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import type { Attempt, Delivery, DeliveryWithAttempts } from '#lib/contract/deliveries/delivery.ts';
import { countOf } from '#lib/count.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { AttemptExchange } from './attempt-exchange.tsx';
import { AttemptTable } from './attempt-table.tsx';
import { attemptSentence } from './attempt-sentence.ts';
import { attemptToCurl } from './attempt-to-curl.ts';
import { useRefetchAfterRefusal } from '../use-refetch-after-refusal.ts';
import { inactiveReason } from '../inactive-reason.ts';
import { summarizeDelivery } from './summarize-delivery.ts';
import { cn } from '#lib/class-names/cn.ts';
import { formatMilliseconds } from '#lib/time.ts';
import type { AttemptPhase } from './describe-attempt.ts';
import { attemptPhases } from './describe-attempt.ts';

type DeliveryDetailProps = {
  delivery: DeliveryWithAttempts;
  webhook: Webhook;
  accountId: string;
  rights: MemberRights;
  now: Date;
  onRetried: () => void;
};

/** The details of a delivery: result, actions, and its attempts with requests and responses. */
export function DeliveryDetail({
  delivery,
  webhook,
  accountId,
  rights,
  now,
  onRetried,
}: DeliveryDetailProps) {
  // Null: the latest attempt is shown, also after a new one.
  const [chosen, setChosen] = useState<number | null>(null);
  const latest = delivery.attempts.at(-1);
  const attempt = delivery.attempts.find(({ id }) => id === chosen) ?? latest;
  const summary = summarizeDelivery(delivery, { isWebhookActive: webhook.is_active, now });

  return (
    <>
      <DrawerPart>
        {summary && (
          <Banner tone={summary.tone} title={summary.title} role="none">
            {latest && attemptSentence(latest)}
            {webhook.is_active && <RestOfSchedule delivery={delivery} />}
          </Banner>
        )}
        <Actions
          delivery={delivery}
          webhook={webhook}
          accountId={accountId}
          attempt={attempt}
          mayRetry={memberMay(rights, 'webhooks.replay')}
          mayResume={memberMay(rights, 'webhooks.update')}
          onRetried={onRetried}
        />
        <Facts facts={factsOf(delivery)} />
      </DrawerPart>
      {attempt && (
        <>
          <DrawerPart title="Attempts">
            <AttemptTable
              attempts={delivery.attempts}
              chosen={attempt}
              onChoose={({ id }) => setChosen(id)}
            />
            <AttemptTiming attempt={attempt} />
          </DrawerPart>
          <DrawerPart>
            <AttemptExchange key={attempt.id} attempt={attempt} rights={rights} />
          </DrawerPart>
        </>
      )}
    </>
  );
}

/** How many attempts the service makes by itself, and when it gives up. */
function RestOfSchedule({ delivery }: { delivery: Delivery }) {
  const { attempts_left: left, gives_up_at: end } = delivery;
  if (end === null || left === 0) return null;
  return (
    <p className="mt-1">
      {countOf(left, 'automatic attempt is', 'automatic attempts are')} left. If{' '}
      {left === 1 ? 'it fails' : 'all fail'}, the service gives up at about{' '}
      <ExactTime value={end} form="short" />. Manual retries do not count toward them.
    </p>
  );
}

type ActionsProps = {
  delivery: DeliveryWithAttempts;
  webhook: Webhook;
  accountId: string;
  attempt: Attempt | undefined;
  mayRetry: boolean;
  mayResume: boolean;
  onRetried: () => void;
};

function Actions({
  delivery,
  webhook,
  accountId,
  attempt,
  mayRetry,
  mayResume,
  onRetried,
}: ActionsProps) {
  const { run, ...action } = useAction();
  const onRefused = useRefetchAfterRefusal(accountId);
  /** How many attempts there were when the retry was requested. */
  const [retriedAfter, setRetriedAfter] = useState<number | null>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const { state, copy, reset } = useCopy({ lastsMs: 2500 });
  const curl = attempt && attemptToCurl(attempt);
  const isDelivered = delivery.status === 'delivered';

  function retry() {
    setRetriedAfter(null);
    run(() => retryDelivery({ params: { delivery: delivery.uuid } }), {
      onNotDone: onRefused,
      onDone: () => {
        setRetriedAfter(delivery.attempt_count);
        onRetried();
      },
    });
  }

  return (
    <div className="grid gap-3 empty:hidden">
      {(mayRetry || curl) && (
        <div className="flex flex-wrap gap-2">
          {mayRetry && (
            <ActionButton
              variant={isDelivered || retriedAfter !== null ? 'secondary' : 'primary'}
              icon={<RotateCw />}
              action={action}
              disabledReason={inactiveReason(webhook, mayResume)}
              onClick={retry}
            >
              {isDelivered ? 'Send again' : 'Retry delivery'}
            </ActionButton>
          )}
          {curl && (
            <Button ref={copyButton} icon={<SquareTerminal />} onClick={() => void copy(curl)}>
              {state === 'copied' ? 'Copied' : 'Copy as curl'}
            </Button>
          )}
        </div>
      )}
      <p role="status" className="text-small text-pretty text-ink-2 empty:hidden">
        {retriedAfter !== null &&
          (delivery.attempt_count > retriedAfter
            ? 'The delivery was resent.'
            : 'Resending the delivery.')}
      </p>
      {curl && state === 'blocked' && (
        <CopyDialog title="Copy as curl" text={curl} finalFocus={copyButton} onClose={reset} />
      )}
      {action.failedAction && (
        <FailedActionPanel
          failedAction={action.failedAction}
          notDone="The delivery was not resent"
          unknown="We could not confirm whether the delivery was resent"
        >
          A delivery can be sent again once a minute.
        </FailedActionPanel>
      )}
    </div>
  );
}

function factsOf({
  event,
  created_at: created,
  finished_at: finished,
  replay_uuid: replay,
  filter_error: filterError,
}: DeliveryWithAttempts) {
  const messageId = messageIdOf(event.uuid, { isTest: event.type === 'webhook.test' });
  return [
    {
      label: 'webhook-id',
      value: (
        <span className="-my-1 flex items-center gap-1">
          <Code className="min-w-0 leading-5 break-all">{messageId}</Code>
          <CopyButton text={messageId} label="Copy webhook-id" />
        </span>
      ),
    },
    { label: 'Created', value: <ExactTime value={created} form="seconds" /> },
    ...(event.created_at === created
      ? []
      : [
          { label: 'Event happened', value: <ExactTime value={event.created_at} form="seconds" /> },
        ]),
    ...(replay === null
      ? []
      : [
          {
            label: 'Sent by replay',
            value: <Code className="break-all">{replay}</Code>,
          },
        ]),
    ...(filterError === null
      ? []
      : [
          {
            label: 'Filter',
            value: `Sent although the filter could not be evaluated: ${filterError}`,
          },
        ]),
    ...(finished === null
      ? []
      : [{ label: 'Finished', value: <ExactTime value={finished} form="seconds" /> }]),
  ];
}

/** The phases of an attempt and how long they took, as a bar and as numbers. */
function AttemptTiming({ attempt }: { attempt: Attempt }) {
  const phases = attemptPhases(attempt);
  return (
    <div className="grid gap-2 text-small tabular-nums">
      <div className="flex flex-wrap justify-between gap-x-4">
        <h4 className="font-medium">Attempt {attempt.number}</h4>
        <ExactTime value={attempt.started_at} form="seconds" className="text-ink-3" />
      </div>
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-1">
        {phases.map(
          ({ part, ms }) =>
            ms !== null && (
              <span
                key={part}
                data-mark
                className={cn('min-w-0.5', colorOf(part, attempt))}
                style={{ flexGrow: ms, flexBasis: 0 }}
              />
            ),
        )}
      </div>
      <dl className="grid gap-1">
        {phases.map((phase) => (
          <PhaseLine key={phase.part} phase={phase} attempt={attempt} />
        ))}
      </dl>
    </div>
  );
}

function PhaseLine({ phase, attempt }: { phase: AttemptPhase; attempt: Attempt }) {
  const { part, label, ms } = phase;
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden data-mark className={cn('size-2 rounded-[2px]', colorOf(part, attempt))} />
      <dt className="text-ink-2">{label}</dt>
      <dd className={cn('ml-auto', ms === null && 'text-ink-3')}>
        {ms === null ? 'Not reached' : formatMilliseconds(ms)}
      </dd>
    </div>
  );
}

function colorOf(part: AttemptPhase['part'], attempt: Attempt): string {
  switch (part) {
    case 'queue':
      return 'bg-fill-track';
    case 'response':
      return attempt.first_byte_ms === null ? 'bg-data-failed' : 'bg-data-delivered';
    case 'reading':
      return 'bg-accent-solid';
  }
}

import { useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { sendEvent } from '#lib/actions/events.ts';
import { retryDelivery } from '#lib/actions/webhooks.ts';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import type {
  EventOutcome,
  RecordedEventWithOutcomes,
} from '#lib/contract/events/recorded-events.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { countOf } from '#lib/count.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { OutcomeMark, outcomeLooks } from './outcome-marks.tsx';

type EventOutcomesProps = {
  event: RecordedEventWithOutcomes;
  accountId: string;
  rights: MemberRights;
  onSent: () => void;
};

/** The outcome of an event at each webhook, and the buttons that send it to those that missed it. */
export function EventOutcomes({ event, accountId, rights, onSent }: EventOutcomesProps) {
  const client = useQueryClient();
  const sending = useAction();
  const [sent, setSent] = useState('');
  const { outcomes } = event;
  const present = outcomes.filter(({ webhook }) => webhook.id !== null);
  const maySend = memberMay(rights, 'webhooks.replay');
  const maySubscribe = memberMay(rights, 'webhooks.update');
  const sendable = present.filter(({ next_step: step }) => step === 'send');
  const missed = sendable.filter(({ outcome }) => outcome !== 'filtered_out');
  const subscribable = present.filter(({ next_step: step }) => step === 'subscribe_and_send');
  const choices = [...sendable, ...(maySubscribe ? subscribable : [])];

  async function refetch() {
    onSent();
    await client.invalidateQueries(queriesAbout('events', accountId));
    await client.invalidateQueries(queriesAbout('webhooks', accountId));
  }

  function run(act: () => Promise<ActionResult>, names: string) {
    setSent('');
    sending.run(act, {
      onNotDone: () => void refetch(),
      onDone: () => {
        setSent(`Sent to ${names}.`);
        void refetch();
      },
    });
  }

  function send(to: readonly EventOutcome[]) {
    const webhooks = to.flatMap(({ webhook }) => webhook.id ?? []);
    const subscribe = to.some(({ next_step: step }) => step === 'subscribe_and_send');
    run(
      () => sendEvent({ params: { event: event.uuid }, body: { webhooks, subscribe } }),
      to.map(({ webhook }) => webhook.name).join(', '),
    );
  }

  function retry({ delivery, webhook }: EventOutcome) {
    if (delivery) run(() => retryDelivery({ params: { delivery: delivery.uuid } }), webhook.name);
  }

  return (
    <>
      <div className="flex items-start gap-4 max-narrow:flex-wrap">
        <div className="min-w-0 flex-1">
          <h3 className="text-heading">{headingOf(present)}</h3>
          <p className="text-pretty text-ink-2">{summaryOf(present)}</p>
        </div>
        <CopyButton text={asText(event)} label="Copy as text" />
        {maySend && choices.length > 0 && (
          <Menu
            label="Send to"
            trigger={
              <Button icon={<Send />} pending={sending.isPending}>
                Send to…
              </Button>
            }
          >
            {missed.length > 1 && (
              <>
                <MenuItem onSelect={() => send(missed)}>
                  All {missed.length} that missed it
                </MenuItem>
                <MenuSeparator />
              </>
            )}
            {choices.map((outcome) => (
              <MenuItem key={outcome.webhook.uuid} onSelect={() => send([outcome])}>
                {outcome.webhook.name}
                {outcome.next_step === 'subscribe_and_send' && ', after subscribing'}
                {outcome.outcome === 'filtered_out' && ', although it was filtered out'}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
      <p role="status" className="text-small text-ink-2 empty:hidden">
        {sent}
      </p>
      {sending.failedAction && (
        <FailedActionPanel
          failedAction={sending.failedAction}
          notDone="The event was not sent"
          unknown="We could not confirm whether the event was sent"
        >
          A delivery can be sent again once a minute.
        </FailedActionPanel>
      )}
      {outcomes.length > 0 && (
        <ul className="border-t border-line">
          {outcomes.map((outcome) => (
            <OutcomeRow
              key={outcome.webhook.uuid}
              outcome={outcome}
              maySend={maySend}
              maySubscribe={maySubscribe}
              action={sending}
              onSend={() => send([outcome])}
              onRetry={() => retry(outcome)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function headingOf(outcomes: readonly EventOutcome[]): string {
  if (outcomes.length === 0) return 'Sent to no webhook';
  const delivered = outcomes.filter(({ outcome }) => outcome === 'delivered').length;
  const all = countOf(outcomes.length, 'webhook');
  return `${delivered} of ${all} ${delivered === 1 ? 'has' : 'have'} it`;
}

function summaryOf(outcomes: readonly EventOutcome[]): string {
  const count = (isCounted: (outcome: EventOutcome) => boolean) =>
    outcomes.filter(isCounted).length;
  const retried = count(({ outcome }) => outcome === 'retrying');
  const underWay = count(({ outcome }) => outcome === 'pending');
  const filteredOut = count(({ outcome }) => outcome === 'filtered_out');
  const stuck = count(
    ({ outcome, next_step: step }) =>
      outcome !== 'filtered_out' && step !== null && !['open_delivery', 'retry'].includes(step),
  );
  return [
    underWay > 0 && `${underWay} ${underWay === 1 ? 'is' : 'are'} being sent.`,
    retried > 0 && `${retried} ${retried === 1 ? 'is' : 'are'} being retried.`,
    filteredOut > 0 && `${filteredOut} filtered it out.`,
    stuck > 0 && `${stuck} will not get it unless you act.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

/** The verdicts, for a message to someone who has no access. */
function asText({ type, uuid, created_at: at, outcomes }: RecordedEventWithOutcomes): string {
  return [
    `${type} ${messageIdOf(uuid, { isTest: type === 'webhook.test' })} ${at}`,
    ...outcomes.map(({ webhook, sentence }) => `${webhook.name}: ${sentence}`),
  ].join('\n');
}

type OutcomeRowProps = {
  outcome: EventOutcome;
  maySend: boolean;
  maySubscribe: boolean;
  action: Pick<ReturnType<typeof useAction>, 'isPending' | 'secondsLeft'>;
  onSend: () => void;
  onRetry: () => void;
};

function OutcomeRow(props: OutcomeRowProps) {
  const { outcome, maySubscribe } = props;
  const { webhook, sentence, response_excerpt: said, next_step: step } = outcome;
  const { label } = outcomeLooks[outcome.outcome];
  const rest = sentence.startsWith(label) ? sentence.slice(label.length) : ` ${sentence}`;
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-2 border-b border-line py-3 last:border-b-0 last:pb-0">
      <OutcomeMark outcome={outcome.outcome} />
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere text-ink">{webhook.name}</p>
        <p className="text-small text-pretty wrap-anywhere text-ink-2">
          <strong className={toneOf(outcome.outcome)}>{label}</strong>
          <ServiceText text={rest} form="moment" />
          {said !== null && <> “{said}”</>}
          {step === 'subscribe_and_send' && !maySubscribe && ' Owners and admins can subscribe it.'}
        </p>
      </div>
      <NextStep {...props} />
    </li>
  );
}

function toneOf(outcome: EventOutcome['outcome']): string {
  if (outcome === 'failed') return 'font-medium text-bad';
  return outcome === 'retrying' ? 'font-medium text-warn' : 'font-medium text-ink';
}

function NextStep({ outcome, maySend, maySubscribe, action, onSend, onRetry }: OutcomeRowProps) {
  const { webhook, delivery, next_step: step } = outcome;
  const page = `settings/webhooks/${webhook.uuid}`;
  const width = 'w-38 justify-center';
  if (step === 'resume') {
    return (
      <ButtonLink size="small" href={page} className={width}>
        Open webhook
        <span className="sr-only"> {webhook.name}</span>
      </ButtonLink>
    );
  }
  if (step === 'open_delivery' || (!maySend && delivery !== null)) {
    return (
      <ButtonLink
        size="small"
        href={`${page}/deliveries?delivery=${delivery?.uuid ?? ''}`}
        className={width}
      >
        Open delivery
        <span className="sr-only"> to {webhook.name}</span>
      </ButtonLink>
    );
  }
  if (step === null || !maySend || (step === 'subscribe_and_send' && !maySubscribe)) return null;
  const labels = { retry: 'Try now', send: 'Send now', subscribe_and_send: 'Subscribe and send' };
  return (
    <ActionButton
      size="small"
      action={{ ...action, isPending: false }}
      onClick={step === 'retry' ? onRetry : onSend}
      className={width}
    >
      {labels[step]}
      <span className="sr-only">
        {step === 'retry' ? ' for ' : ' to '}
        {webhook.name}
      </span>
    </ActionButton>
  );
}

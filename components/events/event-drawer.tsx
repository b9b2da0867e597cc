import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EyeOff, Send } from 'lucide-react';
import { useState } from 'react';
import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { DrawerSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { Drawer } from '#components/ui/overlays/drawer.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { DrawerSteps } from '#components/ui/overlays/drawer-steps.tsx';
import { Menu, MenuItem, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { sendEvent } from '#lib/actions/events.ts';
import { retryDelivery } from '#lib/actions/webhooks.ts';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import type {
  EventOutcome,
  RecordedEvent,
  RecordedEventWithOutcomes,
} from '#lib/contract/events/recorded-events.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { countOf } from '#lib/count.ts';
import { isNotFound } from '#lib/queries/data-if-permitted.ts';
import { eventQuery } from '#lib/queries/events.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { About, textIn, valueIn } from './about.tsx';
import { eventOpenerId, eventsHeadingId } from './event-view.ts';
import { NotFound } from './no-events.tsx';
import { OutcomeMark, outcomeLooks } from './outcome-marks.tsx';

type Page = {
  accountId: string;
  rights: MemberRights;
  /** Searches the list. */
  onSearch: (q: string) => void;
  onSent: () => void;
};

type EventDrawerProps = Page & {
  /** The event to show. Null: the drawer is closed. */
  uuid: string | null;
  /** The events in the table, for the buttons to the previous and next one. */
  listed: readonly RecordedEvent[];
  onOpen: (uuid: string | null) => void;
};

/** A drawer with one event: what happened, and what became of it at each webhook. */
export function EventDrawer({ uuid, listed, onOpen, ...page }: EventDrawerProps) {
  // Keeps the last event while the drawer closes.
  const [shown, setShown] = useState(uuid);
  if (uuid !== null && uuid !== shown) setShown(uuid);
  const read = useQuery({
    ...eventQuery(page.accountId, shown ?? ''),
    enabled: uuid !== null,
  });
  const { data, error } = read;
  const event = data ?? listed.find((one) => one.uuid === shown);
  return (
    <Drawer
      open={uuid !== null}
      onClose={() => onOpen(null)}
      finalFocus={() =>
        document.getElementById(eventOpenerId(shown ?? '')) ??
        document.getElementById(eventsHeadingId)
      }
      title={
        event ? (
          <span className="flex min-w-0 flex-wrap items-center gap-x-2.5">
            <span translate="no" className="code text-[0.875rem] font-medium wrap-anywhere">
              {event.type}
            </span>
            <span className="text-small text-ink-3">
              <ExactTime value={event.created_at} form="moment" />
            </span>
          </span>
        ) : (
          <span className="font-medium">Event</span>
        )
      }
      actions={<DrawerSteps noun="event" shown={shown} listed={listed} onOpen={onOpen} />}
    >
      {isNotFound(error) && (
        <DrawerPart>
          <NotFound
            accountId={page.accountId}
            search={{ kind: 'id', what: 'UUID', about: shown ?? '' }}
            onOpen={onOpen}
            onClear={null}
          />
        </DrawerPart>
      )}
      {error && !isNotFound(error) && (
        <DrawerPart>
          <ReadFailure isLocal what="The event" noun="events" read={read} />
        </DrawerPart>
      )}
      {data && <EventDetail key={data.uuid} event={data} {...page} />}
      {!data && !error && <DrawerSkeleton />}
    </Drawer>
  );
}

type DetailProps = Page & { event: RecordedEventWithOutcomes };

function EventDetail({ event, onSearch, ...page }: DetailProps) {
  const { data: apiKeys = [] } = useQuery({
    ...routeQuery(page.accountId, 'listApiKeys'),
    enabled: memberMay(page.rights, 'api-keys.read'),
  });
  const origin = valueIn(event.data, 'origin', 'api_key_id');
  const madeBy = apiKeys.find(({ id }) => id === origin);
  return (
    <>
      <DrawerPart>
        <Facts
          facts={[
            ...factsOf(event, onSearch),
            ...(madeBy
              ? [
                  {
                    label: 'Made by',
                    value: (
                      <>
                        A call with{' '}
                        <PageLink
                          href={`settings/api-keys/${madeBy.uuid}`}
                          className="underline decoration-ink-3 underline-offset-3"
                        >
                          {madeBy.name}
                        </PageLink>
                      </>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </DrawerPart>
      <DrawerPart>
        <Outcomes event={event} {...page} />
      </DrawerPart>
      <DrawerPart>
        {event.payload === null ? (
          <Note icon={<EyeOff />}>
            <strong>Payload hidden, {countOf(event.payload_bytes, 'byte')}</strong>
            <p className="text-small">
              Your role cannot read what customers write. Owners and admins can. An owner can allow
              it for Support on <PageLink href="settings/account">Account</PageLink>.
            </p>
          </Note>
        ) : (
          <CodeBlock
            title={`Payload, ${countOf(event.payload_bytes, 'byte')}`}
            code={JSON.stringify(JSON.parse(event.payload), null, 2)}
            copied={event.payload}
            copyLabel="Copy payload"
          />
        )}
      </DrawerPart>
    </>
  );
}

function factsOf(event: RecordedEventWithOutcomes, onSearch: Page['onSearch']) {
  const { uuid, type, data, conversation_id: conversation } = event;
  const messageId = messageIdOf(uuid, { isTest: type === 'webhook.test' });
  const named = textIn(data, 'conversation', 'uuid') ?? String(conversation);
  return [
    conversation === null
      ? { label: 'About', value: <About event={event} /> }
      : {
          label: 'Conversation',
          value: (
            <button
              type="button"
              onClick={() => onSearch(named)}
              className="max-w-full text-left text-accent-ink underline decoration-line-strong underline-offset-3"
            >
              {data === null ? `${conversation}, content hidden` : <About event={event} />}
              <span className="sr-only">, all events</span>
            </button>
          ),
        },
    { label: 'Happened', value: <ExactTime value={event.created_at} form="seconds" /> },
    {
      label: 'webhook-id',
      value: (
        <span className="-my-1 flex items-center gap-1">
          <span translate="no" className="code min-w-0 leading-5 break-all">
            {messageId}
          </span>
          <CopyButton text={messageId} label="Copy webhook-id" />
        </span>
      ),
    },
  ];
}

type OutcomesProps = Omit<DetailProps, 'onSearch'>;

function Outcomes({ event, accountId, rights, onSent }: OutcomesProps) {
  const client = useQueryClient();
  const sending = useAction();
  const [sent, setSent] = useState('');
  const { outcomes } = event;
  const present = outcomes.filter(({ webhook }) => webhook.id !== null);
  const maySend = memberMay(rights, 'webhooks.replay');
  const maySubscribe = memberMay(rights, 'webhooks.update');
  const missed = present.filter(({ next_step: step }) => step === 'send');
  const subscribable = present.filter(({ next_step: step }) => step === 'subscribe_and_send');
  const choices = [...missed, ...(maySubscribe ? subscribable : [])];

  async function refetch() {
    onSent();
    await client.invalidateQueries(queriesAbout('events', accountId));
    await client.invalidateQueries(queriesAbout('webhooks', accountId));
  }

  function send(to: readonly EventOutcome[]) {
    const webhooks = to.flatMap(({ webhook }) => webhook.id ?? []);
    const subscribe = to.some(({ next_step: step }) => step === 'subscribe_and_send');
    setSent('');
    sending.run(() => sendEvent({ params: { event: event.uuid }, body: { webhooks, subscribe } }), {
      onNotDone: () => void refetch(),
      onDone: () => {
        setSent(`Sent to ${to.map(({ webhook }) => webhook.name).join(', ')}.`);
        void refetch();
      },
    });
  }

  function retry(delivery: string, name: string) {
    setSent('');
    sending.run(() => retryDelivery({ params: { delivery } }), {
      onNotDone: () => void refetch(),
      onDone: () => {
        setSent(`Sent to ${name}.`);
        void refetch();
      },
    });
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
              onRetry={() => outcome.delivery && retry(outcome.delivery.uuid, outcome.webhook.name)}
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
  const stuck = count(
    ({ next_step: step }) => step !== null && !['open_delivery', 'retry'].includes(step),
  );
  return [
    underWay > 0 && `${underWay} ${underWay === 1 ? 'is' : 'are'} being sent.`,
    retried > 0 && `${retried} ${retried === 1 ? 'is' : 'are'} being retried.`,
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

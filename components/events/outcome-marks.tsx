import { CircleX, Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import type { EventOutcome, RecordedEvent } from '#lib/contract/events/recorded-events.ts';

type Outcome = EventOutcome['outcome'];
type Mark = 'ok' | 'waiting' | 'retrying' | 'failed' | 'paused' | 'none';

export const outcomeLooks: Record<Outcome, { label: string; mark: Mark }> = {
  failed: { label: 'Failed', mark: 'failed' },
  retrying: { label: 'Retrying', mark: 'retrying' },
  on_hold: { label: 'On hold', mark: 'paused' },
  pending: { label: 'Being sent', mark: 'waiting' },
  delivered: { label: 'Delivered', mark: 'ok' },
  cancelled: { label: 'Cancelled', mark: 'none' },
  filtered_out: { label: 'Filtered out', mark: 'none' },
  not_subscribed: { label: 'Not subscribed', mark: 'none' },
  paused: { label: 'Paused', mark: 'paused' },
  deactivated: { label: 'Deactivated', mark: 'paused' },
  set_up: { label: 'Not activated', mark: 'paused' },
  created_later: { label: 'Created later', mark: 'none' },
  about_itself: { label: 'About this webhook', mark: 'none' },
  deleted: { label: 'Deleted', mark: 'none' },
  not_made: { label: 'Not sent', mark: 'none' },
};

const marks: Record<Mark, ReactNode> = {
  ok: <span data-mark className="size-1.5 rounded-full bg-ok-mark" />,
  waiting: <span className="size-[7px] rounded-full border-[1.5px] border-ink-3" />,
  retrying: <Clock className="icon-14 text-warn-mark" />,
  failed: <CircleX className="icon-14 text-bad-mark" />,
  paused: <span className="h-2 w-[7px] border-x-2 border-ink-3" />,
  none: <span className="h-[1.5px] w-1.5 rounded-full bg-ink-3" />,
};

export function OutcomeMark({ outcome }: { outcome: Outcome }) {
  return (
    <span aria-hidden className="grid size-5 shrink-0 place-items-center">
      {marks[outcomeLooks[outcome].mark]}
    </span>
  );
}

/** A webhook of the account, in the order of names, which is that of the marks. */
export type NamedWebhook = { id: number; name: string };

/** With more webhooks, there is no place for each. */
const maxPlaces = 8;

type OutcomeMarksProps = {
  outcomes: NonNullable<RecordedEvent['webhook_outcomes']>;
  webhooks: readonly NamedWebhook[];
};

/**
 * A mark for each webhook, always at the same place, so that a failing webhook is a vertical line of
 * marks. Where there is no place for all, only what is not delivered has one.
 */
export function OutcomeMarks({ outcomes, webhooks }: OutcomeMarksProps) {
  const [isOpen, setIsOpen] = useState(false);
  const places = webhooks.flatMap(({ id, name }) => {
    const outcome = outcomes.find(({ webhook_id: of }) => of === id)?.outcome;
    return { id, name, outcome };
  });
  const told = places.flatMap(({ outcome, ...place }) =>
    outcome === undefined ? [] : { ...place, outcome },
  );
  const hasPlaces = places.length <= maxPlaces;
  const urgent = told.filter(({ outcome }) => isUrgent(outcome));
  const shown = hasPlaces ? places : urgent.slice(0, maxPlaces - 2);
  return (
    <span
      className="relative -my-1 inline-flex py-1"
      onPointerEnter={() => setIsOpen(true)}
      onPointerLeave={() => setIsOpen(false)}
    >
      <span
        role="img"
        aria-label={told
          .map(({ name, outcome }) => `${name}: ${outcomeLooks[outcome].label.toLowerCase()}`)
          .join(', ')}
        // Above the button that covers the row, so that the pointer can rest on it.
        className="pointer-events-auto relative z-1 inline-flex h-5"
      >
        {shown.map(({ id, outcome }) =>
          outcome === undefined ? (
            <span key={id} className="size-5" />
          ) : (
            <OutcomeMark key={id} outcome={outcome} />
          ),
        )}
        {!hasPlaces && urgent.length > shown.length && (
          <span className="pl-1 text-micro leading-5 text-ink-3">
            +{urgent.length - shown.length}
          </span>
        )}
      </span>
      {isOpen && told.length > 0 && (
        <span
          aria-hidden
          className="absolute top-0 right-full z-2 mr-2 grid max-h-80 w-max max-w-80 grid-cols-[1.25rem_minmax(0,1fr)_max-content] gap-x-2 overflow-hidden rounded-4 bg-overlay px-3 py-2 text-micro shadow-menu"
        >
          {told.slice(0, maxListed).map(({ id, name, outcome }) => (
            <span key={id} className="contents leading-5">
              <OutcomeMark outcome={outcome} />
              <span className="truncate leading-5 text-ink">{name}</span>
              <span className="leading-5 text-ink-2">{outcomeLooks[outcome].label}</span>
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

const maxListed = 12;

/** Whether someone may want to act, or something is under way. */
function isUrgent(outcome: Outcome): boolean {
  return !['ok', 'none'].includes(outcomeLooks[outcome].mark);
}

/** The most urgent outcomes of an event in words. */
export function OutcomeWords({
  outcomes,
  hasMark = false,
}: {
  outcomes: OutcomeMarksProps['outcomes'];
  /** Whether the mark of the most urgent one comes first. */
  hasMark?: boolean;
}) {
  const count = (of: Outcome) => outcomes.filter(({ outcome }) => outcome === of).length;
  const [failed, retrying, onHold] = [count('failed'), count('retrying'), count('on_hold')];
  const delivered = count('delivered');
  const parts: { of: Outcome; text: string; tone: string }[] = [];
  if (failed > 0) parts.push({ of: 'failed', text: `${failed} failed`, tone: 'text-bad' });
  if (retrying > 0) parts.push({ of: 'retrying', text: `${retrying} retrying`, tone: 'text-warn' });
  if (parts.length === 0) {
    if (count('pending') > 0) parts.push({ of: 'pending', text: 'Being sent', tone: '' });
    else if (onHold > 0) parts.push({ of: 'on_hold', text: `${onHold} on hold`, tone: '' });
    else if (delivered > 0)
      parts.push({ of: 'delivered', text: `${delivered} delivered`, tone: '' });
    else parts.push({ of: 'not_made', text: 'Not sent', tone: '' });
  }
  return (
    <span className="inline-flex items-center whitespace-nowrap text-ink-3">
      {hasMark && parts[0] && <OutcomeMark outcome={parts[0].of} />}
      {parts.map(({ text, tone }, index) => (
        <span key={text} className={cn(tone)}>
          {index > 0 && <span className="text-ink-3">, </span>}
          {text}
        </span>
      ))}
    </span>
  );
}

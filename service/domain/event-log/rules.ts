import type { EventOutcome, Outcome } from '#lib/contract/events/recorded-events.ts';
import { testEventType } from '#lib/contract/events/events.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { countOf } from '#lib/count.ts';
import { formatApiTime, formatMilliseconds } from '#lib/time.ts';

type JudgedEvent = {
  type: EventType | TestEventType;
  createdAt: Date;
  aboutWebhookId: number | null;
  /** The clause that left it out, by the id of the webhook. */
  filteredOut: Readonly<Record<string, string>> | null;
};

type JudgedWebhook = {
  id: number;
  events: readonly EventType[];
  isActive: boolean;
  inactiveSince: Date | null;
  inactiveReason: string | null;
  createdAt: Date;
};

type JudgedDelivery = {
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  attemptCount: number;
  dueAt: Date | null;
  finishedAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  filterError: string | null;
};

/** An audit entry about a webhook that changed what it receives. */
export type WebhookChange = {
  at: Date;
  action: string;
  changes: Record<string, unknown> | null;
};

/** What is recorded of the past of a webhook. */
export type WebhookHistory = {
  /** Newest first. */
  changes: readonly WebhookChange[];
  /** Changes from before this time may be missing. */
  knownSince: Date;
};

/** The outcome of an event at a webhook, and what a person can do next. */
export type Verdict = {
  outcome: Outcome;
  sentence: string;
  /** The first time in the sentence. */
  at: Date | null;
  nextStep: EventOutcome['next_step'];
};

type Judged = {
  event: JudgedEvent;
  webhook: JudgedWebhook;
  delivery: JudgedDelivery | null;
  /** Of the latest attempt, in milliseconds; null if it is not known. */
  lastDurationMs: number | null;
  history: WebhookHistory;
  now: Date;
};

/**
 * The outcome of an event at one webhook: the state of its delivery or, if there is none, the
 * reason, which follows from how the webhook was set when the event happened.
 */
export function judge({ delivery, ...judged }: Judged): Verdict {
  if (delivery === null) return whyNoDelivery(judged);
  const verdict = stateOf(delivery, judged);
  if (delivery.filterError === null) return verdict;
  const mark = `Sent although the filter could not be evaluated: ${delivery.filterError}`;
  return { ...verdict, sentence: `${verdict.sentence} ${mark}` };
}

function stateOf(
  delivery: JudgedDelivery,
  { event, webhook, lastDurationMs, now }: Omit<Judged, 'delivery'>,
): Verdict {
  const { attemptCount, dueAt, finishedAt, lastStatusCode: code } = delivery;
  const tries = countOf(attemptCount, 'attempt');
  const error = delivery.lastError === null ? '' : ` ${delivery.lastError}`;
  switch (delivery.status) {
    case 'delivered': {
      const response =
        code === null || lastDurationMs === null
          ? ''
          : `, ${code} in ${formatMilliseconds(lastDurationMs)}`;
      const after = attemptCount > 1 ? `, after ${tries}` : '';
      const sentence = `Delivered${on(finishedAt)}${response}${after}.`;
      return { outcome: 'delivered', sentence, at: finishedAt, nextStep: 'open_delivery' };
    }
    case 'failed': {
      const gone = code === 410 ? ' A 410 ends the delivery and deactivates the webhook.' : '';
      const sentence = `Failed${on(finishedAt)}, after ${tries}.${error}${gone}`;
      return { outcome: 'failed', sentence, at: finishedAt, nextStep: resending(event, webhook) };
    }
    case 'cancelled': {
      const sentence = `Cancelled${on(finishedAt)}${attemptCount > 0 ? `, after ${tries}` : ''}.`;
      const nextStep = resending(event, webhook);
      return { outcome: 'cancelled', sentence, at: finishedAt, nextStep };
    }
    case 'pending': {
      if (!webhook.isActive) {
        const reason = webhook.inactiveReason === 'paused' ? 'paused' : 'deactivated';
        const sentence = `On hold: the webhook is ${reason}${since(webhook.inactiveSince)}.`;
        return { outcome: 'on_hold', sentence, at: webhook.inactiveSince, nextStep: 'resume' };
      }
      const isDue = dueAt === null || dueAt <= now;
      if (attemptCount > 0 && delivery.lastError !== null) {
        const sentence = `Retrying${isDue ? ' now' : on(dueAt)}, after ${tries}.${error}`;
        return { outcome: 'retrying', sentence, at: isDue ? null : dueAt, nextStep: 'retry' };
      }
      const sentence = isDue ? 'Being sent.' : `Being sent${on(dueAt)}.`;
      const nextStep = isDue ? 'open_delivery' : 'retry';
      return { outcome: 'pending', sentence, at: isDue ? null : dueAt, nextStep };
    }
  }
}

function whyNoDelivery({ event, webhook, history }: Omit<Judged, 'delivery'>): Verdict {
  const nextStep = resending(event, webhook);
  if (event.aboutWebhookId === webhook.id) {
    const sentence = 'The event is about this webhook, so only others get it.';
    return { outcome: 'about_itself', sentence, at: null, nextStep: null };
  }
  const clause = event.filteredOut?.[webhook.id];
  if (clause !== undefined) {
    return { outcome: 'filtered_out', sentence: `Filtered out by ${clause}.`, at: null, nextStep };
  }
  const { createdAt } = webhook;
  if (createdAt > event.createdAt) {
    const sentence = `Created later${on(createdAt)}.`;
    return { outcome: 'created_later', sentence, at: createdAt, nextStep };
  }
  const then = settingsAt(webhook, { history, moment: event.createdAt });
  const isSubscribed = subscribes(webhook.events, event.type);
  if (!subscribes(then.events ?? webhook.events, event.type)) {
    const sentence =
      isSubscribed && then.eventsUntil !== null
        ? `Not subscribed to ${event.type} then, only since ${formatApiTime(then.eventsUntil)}.`
        : `Not subscribed to ${event.type}.`;
    return { outcome: 'not_subscribed', sentence, at: null, nextStep };
  }
  if (then.inactive !== null) return describeInactive(then.inactive, nextStep);
  if (!isSubscribed && then.events === null) {
    const sentence = `Not subscribed to ${event.type}.`;
    return { outcome: 'not_subscribed', sentence, at: null, nextStep };
  }
  const sentence = 'Not sent. The reason is not recorded.';
  return { outcome: 'not_made', sentence, at: null, nextStep };
}

type Inactive = {
  outcome: 'paused' | 'deactivated' | 'set_up' | null;
  since: Date | null;
  until: Date | null;
  isBacklogSkipped: boolean;
};

function describeInactive(
  { outcome, since: from, until, isBacklogSkipped }: Inactive,
  nextStep: Verdict['nextStep'],
): Verdict {
  if (outcome === null) {
    const end = until === null ? '' : ` until ${formatApiTime(until)}`;
    const sentence = `Not sent: the webhook was inactive${end}.`;
    return { outcome: 'not_made', sentence, at: until, nextStep };
  }
  const label = { paused: 'Paused', deactivated: 'Deactivated', set_up: 'Not activated' }[outcome];
  const skipped = isBacklogSkipped ? ', and resumed without its backlog' : '';
  const sentence =
    until === null
      ? `${label}${since(from)}.`
      : `${label} then, ${from ? `from ${formatApiTime(from)} ` : ''}until ${formatApiTime(until)}${skipped}.`;
  return { outcome, sentence, at: from ?? until, nextStep };
}

/** How an event can be sent to the webhook, as it is now. */
function resending(event: JudgedEvent, webhook: JudgedWebhook): Verdict['nextStep'] {
  if (event.type === testEventType) return 'open_delivery';
  if (!webhook.isActive) return 'resume';
  return subscribes(webhook.events, event.type) ? 'send' : 'subscribe_and_send';
}

type SettingsThen = {
  /** Null: not known. */
  events: readonly string[] | null;
  /** When these events were changed; null if they are still the same. */
  eventsUntil: Date | null;
  /** Null: it was active, or it is not known. */
  inactive: Inactive | null;
};

/**
 * How a webhook was set at a moment: its present settings, with every change since undone, newest
 * first. What is in force at the moment began with the latest change before it.
 */
function settingsAt(
  webhook: JudgedWebhook,
  { history: { changes, knownSince }, moment }: { history: WebhookHistory; moment: Date },
): SettingsThen {
  let events: readonly string[] = webhook.events;
  let eventsUntil: Date | null = null;
  let isActive = webhook.isActive;
  let until: Date | null = null;
  let isBacklogSkipped = false;
  for (const change of changes.filter(({ at }) => at > moment)) {
    const subscribed = fieldOf(change, 'events');
    const active = fieldOf(change, 'is_active');
    if (change.action === 'webhook.deactivated') isActive = true;
    if (typeof active?.from === 'boolean') isActive = active.from;
    if (!isActive) {
      until = change.at;
      isBacklogSkipped = change.changes?.['backlog'] === 'skip';
    }
    if (Array.isArray(subscribed?.from)) {
      events = subscribed.from.map(String);
      eventsUntil = change.at;
    }
  }
  const isKnown = moment >= knownSince;
  const isSinceThen =
    !webhook.isActive && webhook.inactiveSince !== null && webhook.inactiveSince <= moment;
  if (isSinceThen) {
    const outcome = outcomeOf(webhook.inactiveReason);
    const inactive = {
      outcome,
      since: webhook.inactiveSince,
      until: null,
      isBacklogSkipped: false,
    };
    return { events: isKnown ? events : null, eventsUntil, inactive };
  }
  if (!isKnown) return { events: null, eventsUntil: null, inactive: null };
  if (isActive) return { events, eventsUntil, inactive: null };
  const begun = changes.find((change) => change.at <= moment && makesInactive(change));
  const outcome = begun ? outcomeOf(reasonOf(begun)) : null;
  const inactive = { outcome, since: begun?.at ?? null, until, isBacklogSkipped };
  return { events, eventsUntil, inactive };
}

function makesInactive(change: WebhookChange): boolean {
  return reasonOf(change) !== null;
}

/** Why a change made the webhook inactive, as the webhook keeps it; null if it did not. */
function reasonOf(change: WebhookChange): string | null {
  if (change.action === 'webhook.deactivated') return 'failing';
  if (change.action === 'webhook.created') {
    return change.changes?.['is_active'] === false ? 'setup' : null;
  }
  return fieldOf(change, 'is_active')?.to === false ? 'paused' : null;
}

function outcomeOf(inactiveReason: string | null): Inactive['outcome'] {
  if (inactiveReason === 'paused') return 'paused';
  return inactiveReason === 'setup' ? 'set_up' : 'deactivated';
}

/** A field that a change of a webhook changed, with its values before and after. */
function fieldOf(
  { changes }: WebhookChange,
  name: 'events' | 'is_active',
): { from?: unknown; to?: unknown } | null {
  const value = changes?.[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

function subscribes(events: readonly string[], type: string): boolean {
  return events.includes(type);
}

function on(moment: Date | null): string {
  return moment ? ` at ${formatApiTime(moment)}` : '';
}

function since(moment: Date | null): string {
  return moment ? ` since ${formatApiTime(moment)}` : '';
}

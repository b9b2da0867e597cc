import { EyeOff, KeyRound, Webhook } from 'lucide-react';

import type { RecordedEvent } from '#lib/contract/events/recorded-events.ts';

/** What an event is about: its conversation, key or webhook. */
export function About({ event }: { event: RecordedEvent }) {
  const { icon, text } = describeAbout(event);
  return (
    <span className="flex min-w-0 items-center gap-2">
      {icon && (
        <span aria-hidden className="shrink-0 text-ink-3 [&>svg]:icon-14">
          {icon}
        </span>
      )}
      <span className={event.data === null ? 'truncate text-ink-3' : 'truncate text-ink'}>
        {text}
      </span>
    </span>
  );
}

function describeAbout({ type, data, conversation_id: conversation }: RecordedEvent) {
  if (data === null) return { icon: <EyeOff />, text: 'Content hidden' };
  if (type === 'webhook.test') return { icon: null, text: 'Test event' };
  const subject = fieldOf(data, 'conversation', 'subject');
  if (subject !== null) return { icon: null, text: subject };
  const key = fieldOf(data, 'api_key', 'name');
  if (key !== null) return { icon: <KeyRound />, text: key };
  const webhook = fieldOf(data, 'webhook', 'name');
  if (webhook !== null) return { icon: <Webhook />, text: webhook };
  return { icon: null, text: conversation === null ? '' : `Conversation ${conversation}` };
}

/** A text in what an event is about; null if there is none. */
export function fieldOf(data: Record<string, unknown>, of: string, name: string): string | null {
  const thing = data[of];
  if (typeof thing !== 'object' || thing === null) return null;
  const value = Object.entries(thing).find(([key]) => key === name)?.[1] as unknown;
  return typeof value === 'string' ? value : null;
}

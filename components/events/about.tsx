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
  const subject = textIn(data, 'conversation', 'subject');
  if (subject !== null) return { icon: null, text: subject };
  const key = textIn(data, 'api_key', 'name');
  if (key !== null) return { icon: <KeyRound />, text: key };
  const webhook = textIn(data, 'webhook', 'name');
  if (webhook !== null) return { icon: <Webhook />, text: webhook };
  return { icon: null, text: conversation === null ? '' : `Conversation ${conversation}` };
}

/** A text in what an event is about; null if there is none. */
export function textIn(
  data: RecordedEvent['data'],
  of: 'conversation' | 'api_key' | 'webhook',
  name: string,
): string | null {
  const value = valueIn(data, of, name);
  return typeof value === 'string' ? value : null;
}

export function valueIn(data: RecordedEvent['data'], of: string, name: string): unknown {
  const thing = data?.[of];
  return typeof thing === 'object' && thing !== null
    ? new Map(Object.entries(thing)).get(name)
    : null;
}

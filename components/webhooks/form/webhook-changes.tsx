import { Ban, Check, Clock, Pencil, Send } from 'lucide-react';
import type { ReactNode } from 'react';

import { eventTypes } from '#lib/contract/event-types.ts';
import type { UpdateWebhookInput, Webhook } from '#lib/contract/webhooks.ts';

type WebhookChangesProps = { webhook: Webhook; changes: UpdateWebhookInput };

/** Summarizes in sentences what the form's current values mean. */
export function WebhookChanges({ webhook, changes }: WebhookChangesProps) {
  const { name, url, events } = changes;
  const isUntouched = Object.keys(changes).length === 0;
  return (
    <aside
      aria-labelledby="webhook-changes"
      className="self-start border-line text-small text-ink-2 max-[64rem]:border-t max-[64rem]:pt-5 min-[64rem]:sticky min-[64rem]:top-9 min-[64rem]:border-l min-[64rem]:pl-6"
    >
      <h2 id="webhook-changes" className="mb-2 text-body font-medium text-ink">
        What changes
      </h2>
      <ul className="grid gap-2">
        {isUntouched && <Change icon={<Check />}>Nothing yet</Change>}
        {name !== undefined && <Change icon={<Pencil />}>Its name, for your team</Change>}
        {url !== undefined && (
          <Change icon={<Send />}>
            What is sent goes to the new address, also what waits for another attempt
          </Change>
        )}
        {events && <TypeChanges before={webhook.events} after={events} />}
        {!isUntouched && !webhook.is_active && (
          <Change icon={<Clock />}>It stays inactive until it is resumed</Change>
        )}
      </ul>
    </aside>
  );
}

type TypeChangesProps = { before: Webhook['events']; after: Webhook['events'] };

function TypeChanges({ before, after }: TypeChangesProps) {
  const added = eventTypes.filter((type) => after.includes(type) && !before.includes(type));
  const removed = eventTypes.filter((type) => before.includes(type) && !after.includes(type));
  return (
    <>
      {added.map((type) => (
        <Change key={type} icon={<Check />}>
          Sent from now on: <span className="code-micro">{type}</span>
        </Change>
      ))}
      {removed.map((type) => (
        <Change key={type} icon={<Ban />}>
          No longer sent: <span className="code-micro">{type}</span>
        </Change>
      ))}
    </>
  );
}

function Change({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[0.875rem_minmax(0,1fr)] gap-x-2.5 text-pretty">
      <span aria-hidden className="mt-[3px] text-ink-3 [&>svg]:icon-14">
        {icon}
      </span>
      <span>{children}</span>
    </li>
  );
}

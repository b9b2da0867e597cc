import { useQuery } from '@tanstack/react-query';
import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import { DrawerSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { Drawer } from '#components/ui/overlays/drawer.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { DrawerSteps } from '#components/ui/overlays/drawer-steps.tsx';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import type {
  RecordedEvent,
  RecordedEventWithOutcomes,
} from '#lib/contract/events/recorded-events.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { countOf } from '#lib/count.ts';
import { isNotFound } from '#lib/queries/data-if-permitted.ts';
import { eventQuery } from '#lib/queries/events.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { About, textIn, valueIn } from './about.tsx';
import { EventOutcomes } from './event-outcomes.tsx';
import { eventOpenerId, eventsHeadingId } from './event-view.ts';
import { NotFound } from './no-events.tsx';

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

/** A drawer with one event: what happened, and its outcome at each webhook. */
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
            <Code className="text-[0.875rem] font-medium wrap-anywhere">{event.type}</Code>
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
        <EventOutcomes event={event} {...page} />
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
          <Code className="min-w-0 leading-5 break-all">{messageId}</Code>
          <CopyButton text={messageId} label="Copy webhook-id" />
        </span>
      ),
    },
  ];
}

// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Pencil } from 'lucide-react';
import { Section } from '#components/shell/page/section.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { isShortUrl } from '#lib/contract/webhooks/short-url.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';
import { auditLogPathOf } from '#lib/paths/audit-log-path.ts';
import type { WebhookActions } from '../actions/webhook-actions.ts';
import { WholeUrl } from '../url.tsx';
import { type DescribedEventType, useDescribedEventTypes } from '../event-types.tsx';
import { formatFilter } from '../filter-text.ts';
import { editLinkId, webhookPath } from '../webhook-path.ts';

type WebhookFactsProps = {
  webhook: Webhook;
  actions: Pick<WebhookActions, 'mayEdit' | 'mayReadAuditLog'>;
};

/** The webhook's URL, activity, dates and ID, and its event types, with the link to change them. */
export function WebhookFacts({ webhook, actions }: WebhookFactsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[46.25rem]:grid-cols-2 max-sm:gap-y-8">
      <Section
        title="Details"
        action={
          actions.mayEdit && (
            <ButtonLink
              id={editLinkId}
              icon={<Pencil />}
              size="small"
              className="-my-0.5"
              href={`${webhookPath(webhook)}/edit`}
            >
              Edit webhook
            </ButtonLink>
          )
        }
      >
        <Facts facts={factsOf(webhook, actions)} className="gap-y-2.5" />
      </Section>
      <Section title="Events">
        <Events webhook={webhook} />
      </Section>
    </div>
  );
}

function factsOf(webhook: Webhook, { mayReadAuditLog }: WebhookFactsProps['actions']): Fact[] {
  const { last_triggered_at: triggered, failure_count: failures, failing_since: since } = webhook;
  return [
    { label: 'URL', value: <ShownUrl url={webhook.url} /> },
    {
      label: 'Last triggered',
      value: triggered === null ? 'Never' : <RelativeTime value={triggered} />,
    },
    {
      label: 'Failures',
      value:
        failures === 0 ? (
          'None'
        ) : (
          <>
            {countOf(failures, 'failed attempt')} in a row
            {since !== null && (
              <>
                {' '}
                since <ExactTime value={since} />
              </>
            )}
          </>
        ),
    },
    ...(webhook.contact === null
      ? []
      : [
          {
            label: 'Contact for failures',
            value: `${webhook.contact.email}${webhook.contact.is_confirmed ? '' : ' (not confirmed yet)'}`,
          },
        ]),
    ...(webhook.max_deliveries_per_second === null
      ? []
      : [
          {
            label: 'Delivery rate',
            value: `At most ${webhook.max_deliveries_per_second} a second`,
          },
        ]),
    ...(webhook.filter === null
      ? []
      : [{ label: 'Filter', value: <FilterRule filter={webhook.filter} /> }]),
    ...(webhook.header_names.length === 0
      ? []
      : [{ label: 'Headers', value: <HeaderNames names={webhook.header_names} /> }]),
    {
      label: 'Created',
      value: (
        <>
          <ExactTime value={webhook.created_at} />
          {webhook.created_by === null ? (
            ', by whom is not recorded'
          ) : (
            <>
              {' by '}
              <Creator by={webhook.created_by} mayReadAuditLog={mayReadAuditLog} />
            </>
          )}
        </>
      ),
    },
    ...(webhook.updated_at === webhook.created_at
      ? []
      : [{ label: 'Changed', value: <ExactTime value={webhook.updated_at} /> }]),
    { label: 'Webhook ID', value: <WebhookUuid webhook={webhook} /> },
  ];
}

function ShownUrl({ url }: { url: string }) {
  return (
    <>
      <WholeUrl url={url} />
      {isShortUrl(url) && (
        <span className="block text-small text-ink-3">Only owners and admins see the rest.</span>
      )}
    </>
  );
}

function FilterRule({ filter }: { filter: object }) {
  return (
    <code
      translate="no"
      className="code block max-h-60 overflow-auto leading-5 wrap-anywhere whitespace-pre-wrap"
    >
      {formatFilter(filter)}
    </code>
  );
}

type CreatorProps = { by: NonNullable<Webhook['created_by']>; mayReadAuditLog: boolean };

/** Leads to the key, or to what the person changed, for those who may see that. */
function Creator({ by, mayReadAuditLog }: CreatorProps) {
  if (by.id === null || (by.kind === 'person' && !mayReadAuditLog)) return by.name;
  const href =
    by.kind === 'person' ? auditLogPathOf({ actor: by.id }) : `settings/api-keys/${by.id}`;
  return (
    <PageLink href={href} className="link">
      {by.kind === 'api_key' && 'the key '}
      {by.name}
    </PageLink>
  );
}

function HeaderNames({ names }: { names: readonly string[] }) {
  return <Code className="leading-5 wrap-anywhere">{names.join(', ')}</Code>;
}

function WebhookUuid({ webhook }: { webhook: Webhook }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <Code className="min-w-0 leading-5 break-all">{webhook.uuid}</Code>
      <CopyButton text={webhook.uuid} label={`Copy webhook ID of ${webhook.name}`} />
    </span>
  );
}

/** The event types that are sent, and below them those that are not. */
function Events({ webhook }: { webhook: Webhook }) {
  const types = webhook.events;
  const all = useDescribedEventTypes();
  const others = all.map(({ type }) => type).filter((type) => !types.includes(type));
  return (
    <div className="grid gap-3">
      {webhook.all_events && <p>All event types, including future ones. Today these are:</p>}
      <TypeList types={types.flatMap((type) => all.filter((known) => known.type === type))} />
      {others.length > 0 && (
        <p className="text-small text-pretty text-ink-3">
          Not sent: <Code isSmall>{others.join(', ')}</Code>
        </p>
      )}
    </div>
  );
}

function TypeList({ types }: { types: readonly DescribedEventType[] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {types.map(({ type, description }) => (
        <li key={type} className="flex flex-wrap justify-between gap-x-4 py-1.5">
          {description}
          <Code className="leading-5 text-ink-3">{type}</Code>
        </li>
      ))}
    </ul>
  );
}

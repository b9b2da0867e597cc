import { Building2, Send, User, Webhook } from 'lucide-react';
import { deliveryState } from '#components/shell/states/delivery-state.ts';
import {
  foundWebhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import { Status } from '#components/ui/data-display/status.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type {
  DeskKind,
  DeskResults,
  FoundDelivery,
  FoundIn,
} from '#lib/contract/support-desk/support-desk.ts';
import { splitSearch } from '#lib/contract/support-desk/split-search.ts';
import { accountPath, firstPage } from '#lib/paths/account-path.ts';
import { type DeskResult, DeskTable, LastUse, OpenLink } from './desk-table.tsx';
import { keyResult } from './found-key.tsx';
import { Highlighted } from './highlighted.tsx';
import { splitAtMatch } from './split-at-match.ts';

type DeskResultListProps = {
  search: string;
  results: DeskResults;
  /** The kind of which more results are being read; null if none is. */
  reading: DeskKind | null;
  /** Why no search can start now. */
  disabledReason: string | undefined;
  onShowMore: (of: DeskKind) => void;
  /** Searches only in one account from now on; null if the search is narrowed already. */
  onNarrow: ((account: FoundIn) => void) | null;
};

/** What a search found, by kind: the account itself first, then keys, as most questions are about these. */
export function DeskResultList({
  search,
  results,
  reading,
  disabledReason,
  onShowMore,
  onNarrow,
}: DeskResultListProps) {
  if (Object.values(results).every(({ items }) => items.length === 0)) {
    return (
      <EmptyState isQuiet title="No results">
        The search covers the names and IDs of accounts, keys and webhooks, URLs, the names and
        email addresses of members, the last four characters of tokens, and the IDs of deliveries,
        events, messages and conversations. Accounts that do not allow installation support are not
        included. Until you give a reason for opening an account, its email addresses and URL paths
        are found only if you enter all of them.
      </EmptyState>
    );
  }
  function groupOf<Kind extends DeskKind>(
    kind: Kind,
    label: string,
    toResult: (found: DeskResults[Kind]['items'][number], search: string) => DeskResult,
  ) {
    const found: { items: readonly DeskResults[Kind]['items'][number][]; has_more: boolean } =
      results[kind];
    return {
      label,
      results: found.items.map((item) => toResult(item, search)),
      more: found.has_more
        ? { isPending: reading === kind, disabledReason, onShow: () => onShowMore(kind) }
        : undefined,
    };
  }
  return (
    <DeskTable
      caption="Results"
      onNarrow={onNarrow}
      groups={[
        groupOf('accounts', 'Accounts', accountResult),
        groupOf('keys', 'Keys', keyResult),
        groupOf('webhooks', 'Webhooks', webhookResult),
        groupOf('deliveries', 'Deliveries', deliveryResult),
        groupOf('people', 'People', personResult),
      ]}
    />
  );
}

type Found<Kind extends DeskKind> = DeskResults[Kind]['items'][number];

/** An account with the person's role in it. */
function accountResult(account: Found<'accounts'>, search: string): DeskResult {
  return {
    key: account.id,
    account,
    isAccount: true,
    icon: <Building2 />,
    name: account.name,
    path: accountPath(account.id, firstPage),
    search,
    ...(account.needs_reason && { second: 'Reason required' }),
    state: account.role === null ? 'Installation support' : roleTable[account.role].label,
  };
}

/** A webhook with its URL, its state and its last delivery. */
function webhookResult(webhook: Found<'webhooks'>, search: string): DeskResult {
  const { id, account, name, details } = webhook;
  const state = details && foundWebhookState(details);
  return {
    key: String(id),
    account,
    icon: <Webhook />,
    name,
    path: accountPath(account.id, `settings/webhooks/${id}`),
    search,
    second: <FoundUrl url={webhook.url} search={search} />,
    isSecondMono: true,
    ...(state !== null && {
      state: <Status mark={webhookStateMarks[state]}>{webhookStateLabels[state]}</Status>,
      lastUse: <LastUse value={details?.last_triggered_at ?? null} act="triggered" />,
    }),
  };
}

/** A delivery that an id found, or what has the id if that was sent to no webhook. */
function deliveryResult(found: Found<'deliveries'>, search: string): DeskResult {
  const { account, named, uuid, webhook, details } = found;
  const about = splitSearch(search).words.join(' ');
  const events = accountPath(account.id, `settings/events?q=${encodeURIComponent(about)}`);
  return {
    key: `${account.id} ${named} ${uuid}`,
    account,
    icon: <Send />,
    name: webhook === null ? labels[named] : `${found.event_type} to ${webhook.name}`,
    path:
      webhook === null
        ? events
        : accountPath(account.id, `settings/webhooks/${webhook.id}/deliveries?delivery=${uuid}`),
    search: '',
    second: webhook === null ? 'Not sent to any webhook' : `${labels[named]} with this ID`,
    ...(!account.needs_reason && {
      state: details && <DeliveryStatus details={details} />,
      lastUse: <LastUse value={details?.last_attempt_at ?? null} act="sent" />,
      // With its outcome at every webhook.
      action: (
        <OpenLink href={events} of={`of ${labels[named].toLowerCase()}`}>
          Open events
        </OpenLink>
      ),
      hasOtherAction: webhook !== null,
    }),
  };
}

function DeliveryStatus({ details }: { details: NonNullable<FoundDelivery['details']> }) {
  const now = useEstimatedNow();
  const { mark, label } = deliveryState(details, {
    isWebhookActive: details.is_webhook_active,
    now,
  });
  return <Status mark={mark}>{label}</Status>;
}

const labels: Record<FoundDelivery['named'], string> = {
  delivery: 'Delivery',
  event: 'Event',
  message: 'Message',
  conversation: 'Conversation',
};

/** A member of an account with their role and when they were last seen. */
function personResult(person: Found<'people'>, search: string): DeskResult {
  const { account, name, details } = person;
  const path = accountPath(account.id, 'settings/team');
  return {
    key: `${account.id} ${person.id}`,
    account,
    icon: <User />,
    name,
    path,
    search,
    ...(details !== null && {
      second: <Highlighted text={details.email} search={search} />,
      state: roleTable[details.role].label,
      lastUse: <LastUse value={details.last_seen_at} act="seen" />,
      action: (
        <OpenLink href={path} of={`of ${account.name}`}>
          Open team
        </OpenLink>
      ),
    }),
  };
}

/** The URL of a webhook on one line, on which what was searched for stays visible. */
function FoundUrl({ url, search }: { url: string; search: string }) {
  const { head, tail } = splitAtMatch(url, search);
  return (
    <span title={url} className="flex min-w-0">
      <span className="truncate">
        <Highlighted text={head} search={search} />
      </span>
      {tail !== '' && (
        <span className="max-w-2/3 shrink-0 truncate">
          <Highlighted text={tail} search={search} />
        </span>
      )}
    </span>
  );
}

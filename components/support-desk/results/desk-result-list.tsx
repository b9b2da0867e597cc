'use client';

import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import type { DeskKind, DeskResults } from '#lib/contract/support-desk/support-desk.ts';

import { DeskTable, ResultGroup } from './desk-table.tsx';
import { FoundAccountRow } from './found-account-row.tsx';
import { FoundDeliveryRow } from './found-delivery-row.tsx';
import { FoundKeyRow } from './found-key-row.tsx';
import { FoundPersonRow } from './found-person-row.tsx';
import { FoundWebhookRow } from './found-webhook-row.tsx';

type DeskResultListProps = {
  search: string;
  results: DeskResults;
  /** The kind of which more results are being read; null if none is. */
  reading: DeskKind | null;
  /** Why no search can start now. */
  disabledReason: string | undefined;
  onShowMore: (of: DeskKind) => void;
};

/** What a search found, by kind: the account itself first, then keys, as most questions are about these. */
export function DeskResultList({
  search,
  results,
  reading,
  disabledReason,
  onShowMore,
}: DeskResultListProps) {
  const { accounts, keys, webhooks, deliveries, people } = results;
  if (Object.values(results).every(({ items }) => items.length === 0)) {
    return (
      <EmptyState isQuiet title="Nothing matches">
        The search covers the names and IDs of accounts, keys and webhooks, URLs, the names and
        email addresses of members, the last four characters of tokens, and the IDs of deliveries,
        events, messages and conversations. It leaves out accounts that do not allow installation
        support. Before you give a reason for opening an account, it finds email addresses, and
        paths of URLs, only if you enter all of them.
      </EmptyState>
    );
  }
  const group = (of: DeskKind, label: string) => ({
    label,
    group: results[of],
    more: { isPending: reading === of, disabledReason, onShow: () => onShowMore(of) },
  });
  return (
    <DeskTable caption="Results">
      <ResultGroup {...group('accounts', 'Accounts')}>
        {accounts.items.map((account) => (
          <FoundAccountRow key={account.id} account={account} search={search} />
        ))}
      </ResultGroup>
      <ResultGroup {...group('keys', 'Keys')}>
        {keys.items.map((key) => (
          <FoundKeyRow key={key.uuid} found={key} search={search} />
        ))}
      </ResultGroup>
      <ResultGroup {...group('webhooks', 'Webhooks')}>
        {webhooks.items.map((webhook) => (
          <FoundWebhookRow key={webhook.id} webhook={webhook} search={search} />
        ))}
      </ResultGroup>
      <ResultGroup {...group('deliveries', 'Deliveries')}>
        {deliveries.items.map((found) => (
          <FoundDeliveryRow
            key={`${found.account.id} ${found.named} ${found.uuid}`}
            found={found}
          />
        ))}
      </ResultGroup>
      <ResultGroup {...group('people', 'People')}>
        {people.items.map((person) => (
          <FoundPersonRow
            key={`${person.account.id} ${person.id}`}
            person={person}
            search={search}
          />
        ))}
      </ResultGroup>
    </DeskTable>
  );
}

'use client';

import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';

import { DeskTable, ResultGroup } from './desk-table.tsx';
import { FoundAccountRow } from './found-account-row.tsx';
import { FoundKeyRow } from './found-key-row.tsx';
import { FoundPersonRow } from './found-person-row.tsx';
import { FoundWebhookRow } from './found-webhook-row.tsx';

type DeskResultListProps = { search: string; results: DeskResults };

/** What a search found, by kind: keys first, as most questions are about these. */
export function DeskResultList({ search, results }: DeskResultListProps) {
  const { keys, webhooks, people, accounts } = results;
  if (Object.values(results).every(({ items }) => items.length === 0)) {
    return (
      <EmptyState isQuiet title="Nothing matches">
        The search covers the names and IDs of accounts, keys and webhooks, URLs, the names and
        email addresses of members, and the last four characters of tokens. It leaves out accounts
        that do not allow installation support.
      </EmptyState>
    );
  }
  return (
    <DeskTable caption="Results">
      <ResultGroup label="Keys" group={keys}>
        {keys.items.map((key) => (
          <FoundKeyRow key={key.uuid} found={key} search={search} />
        ))}
      </ResultGroup>
      <ResultGroup label="Webhooks" group={webhooks}>
        {webhooks.items.map((webhook) => (
          <FoundWebhookRow key={webhook.id} webhook={webhook} search={search} />
        ))}
      </ResultGroup>
      <ResultGroup label="People" group={people}>
        {people.items.map((person) => (
          <FoundPersonRow
            key={`${person.account.id} ${person.id}`}
            person={person}
            search={search}
          />
        ))}
      </ResultGroup>
      <ResultGroup label="Accounts" group={accounts}>
        {accounts.items.map((account) => (
          <FoundAccountRow key={account.id} account={account} search={search} />
        ))}
      </ResultGroup>
    </DeskTable>
  );
}

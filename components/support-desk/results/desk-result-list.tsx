'use client';

import { Building2, User, Webhook } from 'lucide-react';

import {
  foundWebhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { Cell, Row, RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { accountPath, firstPage } from '#lib/paths/account-path.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';

import {
  AccountCell,
  AccountLine,
  ActionCell,
  LastUseCell,
  OpenLink,
  pressRowOnPhone,
} from './result-cells.tsx';
import { DeskTable, ResultGroup } from './desk-table.tsx';
import { FoundKeyRow } from './found-key-row.tsx';
import { FoundUrl } from './found-url.tsx';
import { Highlighted } from './highlighted.tsx';
import { ResultIcon } from './result-icon.tsx';

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
        {webhooks.items.map((webhook) => {
          const state = foundWebhookState(webhook);
          const path = accountPath(webhook.account.id, `settings/webhooks/${webhook.id}`);
          return (
            <Row key={webhook.id}>
              <Cell isRowHeader onPhone="main">
                <RowName>
                  <ResultIcon icon={<Webhook />} />
                  <a href={path} className={pressRowOnPhone}>
                    <Highlighted text={webhook.name} search={search} />
                  </a>
                </RowName>
                <SecondLine mono className="pl-5.5">
                  <FoundUrl url={webhook.url} search={search} />
                </SecondLine>
                <AccountLine account={webhook.account} />
              </Cell>
              <AccountCell account={webhook.account} />
              <Cell onPhone="top-end">
                <Status mark={webhookStateMarks[state]}>{webhookStateLabels[state]}</Status>
              </Cell>
              <LastUseCell value={webhook.last_triggered_at} act="triggered" />
              <Cell hideBelow="740px" />
              <ActionCell onPhone={false}>
                <OpenLink href={path} of={webhook.name} />
              </ActionCell>
            </Row>
          );
        })}
      </ResultGroup>
      <ResultGroup label="People" group={people}>
        {people.items.map((person) => (
          <Row key={`${person.account.id} ${person.id}`}>
            <Cell isRowHeader onPhone="main">
              <RowName>
                <ResultIcon icon={<User />} />
                <a
                  href={accountPath(person.account.id, 'settings/team')}
                  className={pressRowOnPhone}
                >
                  <Highlighted text={person.name} search={search} />
                </a>
              </RowName>
              <SecondLine className="pl-5.5">
                <Highlighted text={person.email} search={search} />
              </SecondLine>
              <AccountLine account={person.account} />
            </Cell>
            <AccountCell account={person.account} />
            <Cell onPhone="top-end">{roleTable[person.role].label}</Cell>
            <LastUseCell value={person.last_seen_at} act="seen" />
            <Cell hideBelow="740px" />
            <ActionCell onPhone={false}>
              <OpenLink
                href={accountPath(person.account.id, 'settings/team')}
                of={`of ${person.account.name}`}
              >
                Open team
              </OpenLink>
            </ActionCell>
          </Row>
        ))}
      </ResultGroup>
      <ResultGroup label="Accounts" group={accounts}>
        {accounts.items.map((account) => (
          // Without a second line, it would be too low for a finger.
          <Row key={account.id} className="max-sm:min-h-11">
            <Cell isRowHeader onPhone="main">
              <RowName>
                <ResultIcon icon={<Building2 />} />
                <a href={accountPath(account.id, firstPage)} className={pressRowOnPhone}>
                  <Highlighted text={account.name} search={search} />
                </a>
              </RowName>
              {account.needs_reason && <SecondLine className="pl-5.5">Reason required</SecondLine>}
            </Cell>
            <Cell hideBelow="880px" />
            <Cell onPhone="top-end">
              {account.role === null ? 'Installation support' : roleTable[account.role].label}
            </Cell>
            <Cell />
            <Cell hideBelow="740px" />
            <ActionCell onPhone={false}>
              <OpenLink href={accountPath(account.id, firstPage)} of={account.name} />
            </ActionCell>
          </Row>
        ))}
      </ResultGroup>
    </DeskTable>
  );
}

'use client';

import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import {
  Cell,
  ColumnHeader,
  Row,
  RowName,
  SecondLine,
  Table,
  TableBody,
  TableHead,
  WhenColumnHidden,
} from '#components/ui/data-display/table.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';

import { columnWidths } from '../column-widths.ts';

type Supporter = InstallationSupport['people'][number];

type SupporterTableProps = { people: readonly Supporter[]; accountName: string };

/** Who supports every account, and when and why each of them opened this one last. */
export function SupporterTable({ people, accountName }: SupporterTableProps) {
  return (
    <Table caption={`Installation support of ${accountName}`}>
      <TableHead>
        <ColumnHeader width={columnWidths.member}>Person</ColumnHeader>
        <ColumnHeader width={columnWidths.role}>Role</ColumnHeader>
        <ColumnHeader width={columnWidths.lastSeen}>Last opened</ColumnHeader>
        <ColumnHeader width={columnWidths.secondFactor + columnWidths.actions} hideBelow="700px">
          Reason
        </ColumnHeader>
      </TableHead>
      <TableBody>
        {people.map((person) => (
          <SupporterRow key={person.id} person={person} />
        ))}
      </TableBody>
    </Table>
  );
}

function SupporterRow({ person }: { person: Supporter }) {
  const { name, email, role, last_opened_at: openedAt, last_reason: reason } = person;
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
        <span className="flex gap-3">
          <span className="mt-1">
            <Avatar name={name} isRound isLarge />
          </span>
          <span className="min-w-0">
            <RowName>{name}</RowName>
            <SecondLine>{email}</SecondLine>
            {reason !== null && (
              <WhenColumnHidden hideBelow="700px">
                <span className="mt-1 block text-small wrap-anywhere text-ink-2">{reason}</span>
              </WhenColumnHidden>
            )}
          </span>
        </span>
      </Cell>
      <Cell onPhone="top-end">
        {roleTable[role ?? 'support'].label}
        <SecondLine className="max-sm:hidden">
          {role === null ? 'All accounts' : 'Also a member'}
        </SecondLine>
      </Cell>
      <Cell onPhone="bottom-end">
        {openedAt === null ? (
          <span className="text-ink-3">
            Never<span className="sm:hidden"> opened</span>
          </span>
        ) : (
          <RelativeTime value={openedAt} />
        )}
      </Cell>
      <Cell hideBelow="700px">
        {reason !== null && <span className="block text-pretty wrap-anywhere">{reason}</span>}
      </Cell>
    </Row>
  );
}

import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  RowName,
  SecondLine,
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
    <DataTable
      caption={`Installation support of ${accountName}`}
      columns={columns}
      cells={cells}
      rows={people}
      context={null}
      rowProps={({ id }) => ({ key: id })}
    />
  );
}

const columns = [
  { id: 'person', header: 'Person', width: columnWidths.member, onPhone: 'main' },
  { id: 'role', header: 'Role', width: columnWidths.role, onPhone: 'top-end' },
  { id: 'opened', header: 'Last opened', width: columnWidths.lastSeen, onPhone: 'bottom-end' },
  {
    id: 'reason',
    header: 'Reason',
    width: columnWidths.secondFactor + columnWidths.actions,
    hideBelow: '700px',
  },
] as const satisfies Columns;

const cells: Cells<typeof columns, Supporter, null> = {
  person: ({ name, email, last_reason: reason }) => (
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
  ),
  role: ({ role }) => (
    <>
      {roleTable[role ?? 'support'].label}
      <SecondLine className="max-sm:hidden">
        {role === null ? 'All accounts' : 'Also a member'}
      </SecondLine>
    </>
  ),
  opened: ({ last_opened_at: openedAt }) =>
    openedAt === null ? (
      <span className="text-ink-3">
        Never<span className="sm:hidden"> opened</span>
      </span>
    ) : (
      <RelativeTime value={openedAt} />
    ),
  reason: ({ last_reason: reason }) =>
    reason !== null && <span className="block text-pretty wrap-anywhere">{reason}</span>,
};

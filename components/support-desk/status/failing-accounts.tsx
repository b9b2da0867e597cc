import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { type Columns, RowName } from '#components/ui/data-display/table.tsx';
import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { accountPath } from '#lib/paths/account-path.ts';

type FailingAccount = InstallationStatus['failing_accounts']['items'][number];

/** Each name leads to the webhooks of the account, which asks for a reason first. */
export function FailingAccounts({ total, items }: InstallationStatus['failing_accounts']) {
  if (items.length === 0) {
    return (
      <p className="text-ink-2">
        No webhook is failing or was deactivated, in the accounts that you can open.
      </p>
    );
  }
  return (
    <div>
      <DataTable
        caption="Accounts with the most failing webhooks"
        columns={columns}
        cells={cells}
        rows={items}
        lines="one"
        context={null}
        rowProps={({ account }) => ({ key: account.id })}
      />
      <p className="mt-3 text-small text-ink-3">
        {total > items.length && `${items.length} of ${countOf(total, 'account')}. `}
        Accounts that do not allow installation support are not listed.
      </p>
    </div>
  );
}

const columns = [
  { id: 'account', header: 'Account', onPhone: 'main' },
  { id: 'webhooks', header: 'Webhooks', width: 320, onPhone: 'below' },
  {
    id: 'attempts',
    header: 'Failed attempts',
    width: 130,
    isNumeric: true,
    onPhone: 'top-end',
  },
] as const satisfies Columns;

const cells: Cells<typeof columns, FailingAccount, null> = {
  account: ({ account: { id, name } }) => (
    <RowName>
      <a href={accountPath(id, 'settings/webhooks')} title={name}>
        {name}
      </a>
    </RowName>
  ),
  webhooks: ({ webhooks, failing, deactivated }) => {
    const parts = [
      failing > 0 && `${formatCount(failing)} failing`,
      deactivated > 0 && `${formatCount(deactivated)} deactivated`,
    ];
    return `${parts.filter((part) => part !== false).join(', ')} of ${formatCount(webhooks)}`;
  },
  attempts: ({ failed_attempts: attempts }) => formatCount(attempts),
};

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { SearchSelect } from '#components/ui/inputs/select/search-select.tsx';
import { Menu, MenuChoice } from '#components/ui/overlays/menu.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { useSwitchAccount } from '../../identity/switch-account.tsx';
import { Avatar } from '../own-menu/avatar.tsx';

/** With more accounts than this, the menu has a search field. */
const maxMenuAccounts = 6;

/** The account's name; with several accounts a menu of them, for installation support a search. */
export function AccountSwitcher({ session }: { session: Session }) {
  const { account, accounts, is_installation_support: canOpenAll } = session;
  const { switchTo, isSwitching, reason } = useSwitchAccount();
  const { found, search, isLoading, tryAgain } = useAccountSearch(account.id);
  if (accounts.length < 2 && !canOpenAll) {
    return (
      <div className="flex h-10 items-center gap-2.5 px-2">
        <AccountName name={account.name} />
      </div>
    );
  }
  const choices = canOpenAll
    ? found.map(({ id, name, role }) => ({
        value: id,
        label: name,
        ...(role !== null && { detail: roleTable[role].label }),
      }))
    : accounts
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map((one) => ({
          value: one.id,
          label: one.name,
          detail: one.erased_at === null ? roleTable[one.role].label : 'Being deleted',
        }));
  const trigger = switcherTrigger(account.name, isSwitching);
  const choose = (id: string) => {
    if (id !== account.id && !isSwitching) switchTo(id);
  };
  return (
    <div>
      {canOpenAll || accounts.length > maxMenuAccounts ? (
        <SearchSelect
          label="Switch account"
          placeholder="Find an account"
          options={choices}
          value={account.id}
          onChange={choose}
          {...(canOpenAll && { onSearch: search, isLoading, onTryAgain: tryAgain })}
          trigger={trigger}
        />
      ) : (
        <Menu label="Switch account" align="start" isAnchorWide trigger={trigger}>
          <MenuChoice label="Accounts" value={account.id} choices={choices} onChange={choose} />
        </Menu>
      )}
      <p role="status" className="px-2 pt-1 text-micro text-pretty text-bad empty:hidden">
        {reason !== undefined && `The account was not changed. ${reason}`}
      </p>
    </div>
  );
}

function AccountName({ name }: { name: string }) {
  return (
    <>
      <Avatar name={name} />
      <span className="min-w-0 flex-1 truncate text-left font-medium">{name}</span>
    </>
  );
}

function switcherTrigger(name: string, isBusy: boolean): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      className="flex h-10 w-full cursor-default items-center gap-2.5 rounded-3 px-2 hover:bg-fill-hover aria-expanded:bg-fill-active max-[60rem]:h-11"
    >
      <span className="sr-only">Account</span>
      <AccountName name={name} />
      <span className="sr-only">Switch account</span>
      {isBusy ? <Spinner /> : <ChevronsUpDown aria-hidden className="icon-14 text-ink-3" />}
    </button>
  );
}

/** Each search costs a request. */
const pauseMs = 200;

/** The accounts that installation support finds by typing; none before they search. */
function useAccountSearch(accountId: string) {
  const [typed, setTyped] = useState<string | null>(null);
  const search = useSettled(typed);
  const {
    data = [],
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...routeQuery(accountId, 'searchAccounts', { query: { search: search ?? '' } }),
    placeholderData: keepPreviousData,
    enabled: search !== null,
  });
  return {
    found: data,
    search: setTyped,
    isLoading: isFetching || search !== typed,
    tryAgain: error === null ? undefined : () => void refetch(),
  };
}

/** Returns `typed` once it has not changed for a moment; immediately if it is empty. */
function useSettled(typed: string | null): string | null {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), typed === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

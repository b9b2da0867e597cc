'use client';

import { Search } from 'lucide-react';
import { useRef } from 'react';
import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import { LazySignOutDialog } from '#components/shell/identity/sign-out/lazy-sign-out-dialog.tsx';
import { useSignOut } from '#components/shell/identity/sign-out/use-sign-out.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { accountPath, accountsPath, firstPage, supportDeskPath } from '#lib/paths/account-path.ts';
import { type FoundAccount, maxFoundAccounts } from '#lib/contract/people/found-account.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';

type ChooseAccountProps = {
  accounts: readonly FoundAccount[];
  search: string;
};

/** A search for an account, and links to those that it found. */
export function ChooseAccount({ accounts, search }: ChooseAccountProps) {
  const button = useRef<HTMLButtonElement>(null);
  const signingOut = useSignOut();
  return (
    <>
      {/* A search is an address of this page, which Back and a reload find again. */}
      <form role="search" action={accountsPath} className="flex items-end gap-2">
        <Field label="Name or ID" className="min-w-0 flex-1">
          <Input
            name="search"
            size="large"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            defaultValue={search}
          />
        </Field>
        <Button type="submit" size="large" className="w-auto" icon={<Search />}>
          Search
        </Button>
      </form>
      {accounts.length === 0 ? (
        <p className="text-ink-2">
          No accounts match. Accounts that do not allow installation support are not shown.
        </p>
      ) : (
        <ul aria-label="Accounts" className="-mx-2 grid gap-px">
          {accounts.map(({ id, name, role }) => (
            <li key={id}>
              {/* A full page load: the frame of the account comes with it. */}
              <a
                href={accountPath(id, firstPage)}
                className="flex min-h-10 items-center gap-2.5 rounded-3 px-2 text-ink no-underline hover:bg-fill-hover max-sm:min-h-11"
              >
                <Avatar name={name} />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                {role !== null && (
                  <span className="text-micro text-ink-3">{roleTable[role].label}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
      {accounts.length === maxFoundAccounts && (
        <p className="text-small text-ink-3">
          The first {maxFoundAccounts} by name. Search to find others.
        </p>
      )}
      <a href={supportDeskPath}>Support desk: search keys, webhooks and people in all accounts</a>
      <Button
        ref={button}
        variant="ghost"
        className="-ml-3 justify-self-start"
        onClick={signingOut.signOut}
      >
        Sign out
      </Button>
      <LazySignOutDialog signingOut={signingOut} finalFocus={button} />
    </>
  );
}

import { createContext, use } from 'react';

import type { FoundIn } from '#lib/contract/support-desk/support-desk.ts';

/** Searches only in one account from now on; null where results cannot be narrowed. */
export const NarrowSearch = createContext<((account: FoundIn) => void) | null>(null);

/** The name of a result's account. A press searches for the same words in this account only. */
export function AccountName({ account }: { account: FoundIn }) {
  const narrow = use(NarrowSearch);
  if (narrow === null) return account.name;
  return (
    <button
      type="button"
      title={`Search only in ${account.name}`}
      // Above the link that covers the whole row on a phone.
      className="relative z-1 max-w-full  truncate text-left hover:underline"
      onClick={() => narrow(account)}
    >
      <span className="sr-only">Search only in </span>
      {account.name}
    </button>
  );
}

'use client';

import { usePathname } from 'next/navigation';
import { useState } from 'react';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { sameArea } from '#lib/account-path.ts';
import { chooseAccount } from '#lib/actions/people/session.ts';

import { useAction } from '../actions/use-action.ts';
import { rateLimitReason } from '../feedback/rate-limit.ts';

type SwitchAccount = {
  switchTo: (accountId: string) => void;
  isSwitching: boolean;
  /** Why the account was not changed. Undefined: nothing failed. */
  reason: string | undefined;
};

/**
 * Opens the same area of another account, and makes it the account with which the dashboard opens.
 */
export function useSwitchAccount(): SwitchAccount {
  const { run, isPending, failure, secondsLeft } = useAction();
  const [isLeaving, setLeaving] = useState(false);
  const path = usePathname();
  const { leave } = useNavigation();

  function chooseAndOpen(accountId: string) {
    run(() => chooseAccount(accountId), {
      onDone() {
        setLeaving(true);
        // A full page load, so that no data of one account stays in memory for the other.
        window.location.assign(sameArea(path, accountId));
      },
    });
  }

  return {
    switchTo: (accountId) => leave(() => chooseAndOpen(accountId)),
    isSwitching: isPending || isLeaving,
    reason: failure?.message ?? rateLimitReason(secondsLeft),
  };
}

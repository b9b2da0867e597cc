'use client';

import { usePathname } from 'next/navigation';
import { useState, useTransition } from 'react';

import { sameArea } from '#lib/account-path.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { chooseAccount } from '#lib/actions/session.ts';

import { isIdentityPromptCancelled, useRunAction } from '../actions/use-run-action.ts';

type SwitchAccount = {
  switchTo: (accountId: string) => void;
  isSwitching: boolean;
  failure: ActionFailure | null;
};

/**
 * Opens the same area of another account, and makes it the account with which the dashboard opens.
 */
export function useSwitchAccount(): SwitchAccount {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const [isPending, startTransition] = useTransition();
  const path = usePathname();
  const runAction = useRunAction();

  function switchTo(accountId: string) {
    setFailure(null);
    startTransition(async () => {
      const result = await runAction(() => chooseAccount(accountId));
      if (!result.ok) {
        if (!isIdentityPromptCancelled(result)) setFailure(result);
        return;
      }
      setLeaving(true);
      // A full page load, so that no data of one account stays in memory for the other.
      window.location.assign(sameArea(path, accountId));
    });
  }

  return { switchTo, isSwitching: isPending || isLeaving, failure };
}

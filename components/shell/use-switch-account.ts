'use client';

import { useQueryClient } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { useState, useTransition } from 'react';

import type { ActionFailure } from '#lib/actions/action-result.ts';
import { chooseAccount } from '#lib/actions/session.ts';

import { accountArea } from './account-area.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { isLeft, useAct } from './use-act.ts';

type SwitchAccount = {
  switchTo: (accountId: string) => void;
  isSwitching: boolean;
  failure: ActionFailure | null;
};

/** Works in another account, in the same part of the dashboard. */
export function useSwitchAccount(): SwitchAccount {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const [isPending, startTransition] = useTransition();
  const queryClient = useQueryClient();
  const path = usePathname();
  const act = useAct();

  function switchTo(accountId: string) {
    setFailure(null);
    startTransition(async () => {
      const result = await act(() => chooseAccount(accountId));
      if (!result.ok) {
        if (!isLeft(result)) setFailure(result);
        return;
      }
      setLeaving(true);
      tellOtherTabs();
      queryClient.clear();
      // A whole new page: nothing that was read in one account stays in memory for the other.
      window.location.assign(accountArea(path));
    });
  }

  return { switchTo, isSwitching: isPending || isLeaving, failure };
}

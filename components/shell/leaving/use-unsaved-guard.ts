'use client';

import { useEffect, useEffectEvent } from 'react';

import { useLeaveGuards } from './use-leave-guard.ts';

/**
 * Asks before the page is left while a form of it has changes that are not saved. Once they are,
 * `useLeaveForm` leaves it without asking.
 */
export function useUnsavedGuard(isUnsaved: boolean): void {
  const { guardUnsaved } = useLeaveGuards();
  const begin = useEffectEvent(() =>
    guardUnsaved({
      title: 'Leave without saving?',
      text: 'Your changes on this page are not saved. If you leave now, they are lost.',
    }),
  );
  useEffect(() => (isUnsaved ? begin() : undefined), [isUnsaved]);
}

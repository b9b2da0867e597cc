import { useEffect, useEffectEvent } from 'react';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { useLeaveGuards } from './use-leave-guard.ts';

/** Leaves a submitted form for a page without asking, and replaces the form in the history. */
export function useLeaveForm(): (page: string) => Promise<void> {
  const { goTo } = useNavigation();
  const { endGuards } = useLeaveGuards();
  const fullPath = useFullPath();
  return async (page) => {
    await endGuards();
    goTo(fullPath(page), 'replace');
  };
}

/**
 * Prompts before the page is left while a form of it has changes that are not saved. Once they are,
 * `useLeaveForm` leaves it without asking.
 */
export function useUnsavedGuard(isUnsaved: boolean): void {
  const { guardUnsaved } = useLeaveGuards();
  const begin = useEffectEvent(() =>
    guardUnsaved({
      title: 'Leave without saving?',
      text: 'You have unsaved changes on this page. If you leave now, they are lost.',
    }),
  );
  useEffect(() => (isUnsaved ? begin() : undefined), [isUnsaved]);
}

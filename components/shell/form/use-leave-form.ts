'use client';

import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';

/**
 * Returns a function that goes from a submitted form to a page. It replaces the form in the
 * history, because Back must not lead to a form that was submitted.
 */
export function useLeaveForm(): (page: string) => void {
  const { goTo } = useNavigation();
  const fullPath = useFullPath();
  return (page) => goTo(fullPath(page), 'replace');
}

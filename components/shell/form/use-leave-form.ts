'use client';

import { useRouter } from 'next/navigation';

import { useFullPath } from '#components/ui/navigation/base-path.ts';

/**
 * Returns a function that goes from a submitted form to a page. It replaces the form in the
 * history, because Back must not lead to a form that was submitted.
 */
export function useLeaveForm(): (page: string) => void {
  const router = useRouter();
  const fullPath = useFullPath();
  return (page) => router.replace(fullPath(page));
}

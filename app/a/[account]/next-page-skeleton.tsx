'use client';

import { documentTitle } from '#components/shell/page/page-title.tsx';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { useTemporaryTitle } from '#components/ui/rendering/use-temporary-title.ts';

import { useLoadingPage } from './use-loading-page.tsx';

/** Stands in for the page that is being opened, and has the document called like it. */
export function NextPageSkeleton() {
  const next = useLoadingPage(useNavigation().destination);
  useTemporaryTitle(next && documentTitle(next.title));
  return next?.skeleton;
}

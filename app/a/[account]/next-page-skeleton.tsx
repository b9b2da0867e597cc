'use client';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';

import { PageSkeleton } from './page-skeleton.tsx';

/** Stands in for the page that is being opened. */
export function NextPageSkeleton() {
  const { destination } = useNavigation();
  return <PageSkeleton path={destination} />;
}

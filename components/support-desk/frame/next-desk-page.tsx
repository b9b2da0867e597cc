'use client';

import { documentTitle } from '#components/shell/page/page-title.tsx';
import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { useTemporaryTitle } from '#components/ui/rendering/use-temporary-title.ts';
import { deskRequestsPath } from '#lib/paths/account-path.ts';

import { DeskRequestsHeading } from '../requests/desk-requests-heading.tsx';
import { DeskRequestTable } from '../requests/desk-request-table.tsx';

/** Shown while the page of the requests opens. */
export function NextDeskPage() {
  const isRequests = usePendingNavigation()?.path.split('?')[0] === deskRequestsPath;
  useTemporaryTitle(isRequests ? documentTitle('My requests') : null);
  if (!isRequests) return null;
  return (
    <>
      <DeskRequestsHeading />
      <DeskRequestTable caption="Loading requests" />
    </>
  );
}

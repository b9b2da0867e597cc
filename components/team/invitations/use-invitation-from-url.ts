'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';

/**
 * Opens the dialog to invite somebody if the URL has `?act=invite`, to which the command palette
 * links. Back and a reload open only the page. Unlike `useActionFromUrl`, it also works while the
 * page is already open, because the palette can be used there.
 */
export function useInvitationFromUrl(mayInvite: boolean, onInvite: () => void): void {
  const isRequested = useSearchParams().get('act') === 'invite';
  const open = useEffectEvent(() => {
    window.history.replaceState(null, '', window.location.pathname);
    if (mayInvite) onInvite();
  });
  useEffect(() => {
    if (isRequested) open();
  }, [isRequested]);
}

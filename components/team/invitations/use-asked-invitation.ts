'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';

/**
 * Opens the dialog to invite somebody where the address asks for it, as the command palette does:
 * `?act=invite`. Back and a reload open the page alone.
 */
export function useAskedInvitation(mayInvite: boolean, onInvite: () => void): void {
  const isAsked = useSearchParams().get('act') === 'invite';
  const open = useEffectEvent(() => {
    window.history.replaceState(null, '', window.location.pathname);
    if (mayInvite) onInvite();
  });
  useEffect(() => {
    if (isAsked) open();
  }, [isAsked]);
}

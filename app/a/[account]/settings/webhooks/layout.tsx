import type { ReactNode } from 'react';

import { NavigationFocusProvider } from '#components/webhooks/navigation-focus.tsx';

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return <NavigationFocusProvider>{children}</NavigationFocusProvider>;
}

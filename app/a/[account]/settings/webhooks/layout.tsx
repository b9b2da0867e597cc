import type { ReactNode } from 'react';

import { ArrivalProvider } from '#components/webhooks/arrival.tsx';

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return <ArrivalProvider>{children}</ArrivalProvider>;
}

'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { NavigationFocusProvider } from '#components/shell/page/navigation-focus.tsx';
import { NavigationProvider } from '#components/ui/navigation/navigation.tsx';
import { ToastProvider } from '#components/ui/feedback/toast.tsx';
import { PersistentOverlay } from '#components/ui/rendering/persistent-overlay.tsx';
import { isConnectionFailure } from '#lib/queries/read.ts';

type ProvidersProps = { nonce: string | undefined; children: ReactNode };

export function Providers({ nonce, children }: ProvidersProps) {
  const [queryClient] = useState(makeQueryClient);
  return (
    <CSPProvider nonce={nonce ?? ''} disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <NavigationProvider>
          <NavigationFocusProvider>
            <ToastProvider>
              <PersistentOverlay>{children}</PersistentOverlay>
            </ToastProvider>
          </NavigationFocusProvider>
        </NavigationProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // What the server rendered is fresh: the browser must not ask again while it hydrates.
        staleTime: 30_000,
        // Once, and only if there was no response: after an error response the frame's notice
        // retries.
        retry: (failures, error) => failures < 1 && isConnectionFailure(error),
      },
      mutations: { retry: false },
    },
  });
}

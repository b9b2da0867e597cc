'use client';

import { useSyncExternalStore } from 'react';
import './globals.css';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { thrownFailureOf } from '#lib/api/thrown-failure.ts';
import { readThemeCookie } from '#lib/cookies/theme-cookie.ts';
import type { ErrorPageProps } from './error-page-props.ts';

// Every page loads this file, but hardly any needs the component.
const LazyFailedPage = lazyComponent(
  async () => (await import('#components/shell/page/failed-page.tsx')).FailedPage,
);

/** Replaces the root layout itself, so it renders its own document and none of the providers. */
export default function GlobalError({ error, retry }: ErrorPageProps) {
  // The root layout, which reads the theme from the request, has failed.
  const theme = useSyncExternalStore(
    subscribe,
    () => readThemeCookie(document.cookie),
    () => undefined,
  );
  return (
    <html lang="en" data-theme={theme}>
      <body>
        <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
          <LazyFailedPage
            shouldLoad
            title="Something went wrong"
            {...thrownFailureOf(error)}
            onRetry={retry}
          />
        </main>
      </body>
    </html>
  );
}

/** Nothing on this page changes the theme. */
function subscribe() {
  return () => {};
}

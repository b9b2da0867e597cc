'use client';

import './globals.css';
import { FailedPage } from '#components/shell/page/failed-page.tsx';
import { readFailure } from '#lib/api/read-failure.ts';

import type { Thrown } from './error-page-props.ts';

/** Replaces the root layout itself, so it renders its own document and none of the providers. */
export default function GlobalError({ error, retry }: Thrown) {
  return (
    <html lang="en">
      <body>
        <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
          <FailedPage title="Something went wrong" {...readFailure(error)} onRetry={retry} />
        </main>
      </body>
    </html>
  );
}

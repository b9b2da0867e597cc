'use client';

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button, ButtonLink } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Note } from '#components/ui/note.tsx';

import { ErrorPanel } from '../feedback/error-panel.tsx';
import { PageHeading } from './page-heading.tsx';

/** For `not-found.tsx`: what isn't there and what is someone else's look alike. */
export function NotFoundPage({ back }: { back: { href: string; label: string } }) {
  return (
    <>
      <PageHeading
        title="Page not found"
        sentence="Nothing is here, or it belongs to another account."
      />
      <ButtonLink href={back.href}>{back.label}</ButtonLink>
    </>
  );
}

export type FailedPageProps = {
  title: string;
  message: ReactNode;
  /** Next's `digest`, or the service's request id. */
  requestId?: string | undefined;
  onRetry: () => void;
};

/** For `error.tsx`: the page itself could not be made. */
export function FailedPage({ title, message, requestId, onRetry }: FailedPageProps) {
  return (
    <>
      <PageHeading title={title} />
      <ErrorPanel
        title="This page could not be shown"
        message={message}
        requestId={requestId}
        onRetry={onRetry}
      />
    </>
  );
}

/** In the place of rows a person may not see. */
export function NoPermission({ what, who }: { what: string; who: string }) {
  return (
    <EmptyState title={`You can't see ${what}`}>
      <Note icon={<Lock />}>{who}</Note>
    </EmptyState>
  );
}

/** Filters that leave nothing: repeats what was asked and offers the way back. */
export function NoMatch({
  title,
  hint,
  onClear,
}: {
  title: string;
  hint: string;
  onClear: () => void;
}) {
  return (
    <EmptyState
      isQuiet
      title={title}
      actions={<Button onClick={onClear}>Clear search and filters</Button>}
    >
      {hint}
    </EmptyState>
  );
}

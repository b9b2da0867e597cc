'use client';

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button, ButtonLink } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { Note } from '#components/ui/feedback/note.tsx';

import { ErrorPanel } from '../feedback/error-panel.tsx';
import { PageHeading } from './page-heading.tsx';

/**
 * For `not-found.tsx`. Looks the same for what does not exist and for what belongs to another
 * account.
 */
export function NotFoundPage({ back }: { back: { href: string; label: string } }) {
  return (
    <>
      <PageHeading
        title="Page not found"
        sentence="This page does not exist, or it belongs to another account."
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

/** For `error.tsx`: the page could not be rendered. */
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

/** Shown in place of data that the person may not see. */
export function NoPermission({ what, who }: { what: string; who: string }) {
  return (
    <EmptyState title={`You can't see ${what}`}>
      <Note icon={<Lock />}>{who}</Note>
    </EmptyState>
  );
}

/** Shown when search and filters match nothing, with a button to clear them. */
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

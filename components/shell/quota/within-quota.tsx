'use client';

import { type ReactNode, useState } from 'react';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import type { Quota } from '#lib/contract/quotas.ts';
import { countOf } from '#lib/count.ts';

type WithinQuotaProps = {
  /** Null: unknown. Then the form is shown, and the service refuses what exceeds the quota. */
  quota: Quota | null;
  accountName: string;
  /** What is counted, for one and for several. */
  noun: string;
  nouns: string;
  /** What makes room: "Revoke one that is no longer used". */
  remedy: string;
  back: { href: string; label: string };
  children: ReactNode;
};

/** A form to create something, or why the account cannot have another and what to do. */
export function WithinQuota({
  quota,
  children,
  accountName,
  noun,
  nouns,
  remedy,
  back,
}: WithinQuotaProps) {
  const hasRoom = quota === null || quota.used < quota.max;
  // A form that is shown stays, because after it created the last item that the quota allows it
  // still shows that item's token or secret.
  const [isShown, setIsShown] = useState(hasRoom);
  if (hasRoom && !isShown) setIsShown(true);
  if (quota === null || hasRoom || isShown) return children;

  return (
    <EmptyState
      title={`${accountName} can have no more ${nouns}`}
      actions={<ButtonLink href={back.href}>{back.label}</ButtonLink>}
    >
      It has {countOf(quota.used, noun, nouns)} and can have at most {quota.max}. {remedy}, or ask
      the operator of this service to allow more.
    </EmptyState>
  );
}

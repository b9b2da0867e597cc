import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { unstable_rethrow } from 'next/navigation';

import { ApiKeyPage } from '#components/api-keys/api-key-page.tsx';
import { publicUrl } from '#lib/public-url.ts';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { findApiKey } from '../find-api-key.ts';

type KeyPageProps = { params: Promise<{ apiKey: string }> };

export async function generateMetadata({ params }: KeyPageProps): Promise<Metadata> {
  const apiKey = await found((await params).apiKey);
  return { title: apiKey?.name ?? 'API key' };
}

export default async function KeyPage({ params }: KeyPageProps) {
  const reference = (await params).apiKey;
  const { account, role } = await requireSession();
  await found(reference);
  const state = await prefetch(apiKeyQuery(account.id, reference), () => findApiKey(reference));
  return (
    <HydrationBoundary state={state}>
      <ApiKeyPage
        account={account}
        role={role}
        reference={reference}
        publicUrl={publicUrl()}
        renderedAt={formatApiTime(new Date())}
      />
    </HydrationBoundary>
  );
}

/** Null for a key that could not be read just now: the page then asks again and says what went wrong. */
async function found(reference: string) {
  try {
    return await findApiKey(reference);
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}

'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { YourAccountSkeleton } from '#components/account/your-account-skeleton.tsx';
import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { CreateApiKeyHeading } from '#components/api-keys/form/create-api-key-heading.tsx';
import { ApiKeysSkeleton } from '#components/api-keys/list/api-keys-skeleton.tsx';
import { ApiKeySkeleton } from '#components/api-keys/page/api-key-skeleton.tsx';
import { EditSkeleton, FormSkeleton } from '#components/shell/form/form-skeleton.tsx';
import { CreateWebhookHeading } from '#components/webhooks/form/create-webhook-heading.tsx';
import { WebhooksSkeleton } from '#components/webhooks/list/webhooks-skeleton.tsx';
import { WebhookSkeleton } from '#components/webhooks/page/webhook-skeleton.tsx';
import { webhooksPath } from '#components/webhooks/webhook-path.ts';
import { accountOf } from '#lib/account-path.ts';
import { apiKeyQuery, apiKeysQuery } from '#lib/queries/api-keys.ts';
import { webhookQuery, webhooksQuery } from '#lib/queries/webhooks.ts';

/** @param props.path of the page, with or without its query; null: there is none */
export function PageSkeleton({ path }: { path: string | null }): ReactNode {
  const client = useQueryClient();
  if (path === null) return null;
  const accountId = accountOf(path) ?? '';
  const [pathname = ''] = path.split(/[?#]/);
  const [, , , , noun, id, form] = pathname.split('/');
  // What was open before tells what it is called.
  const nameIn = (things: readonly { uuid: string; name: string }[] = []) =>
    things.find(({ uuid }) => uuid === id)?.name;

  if (noun === 'account') return <YourAccountSkeleton />;
  if (noun === 'api-keys') {
    const name =
      nameIn(client.getQueryData(apiKeysQuery(accountId).queryKey)) ??
      client.getQueryData(apiKeyQuery(accountId, id ?? '').queryKey)?.name;
    if (id === undefined) return <ApiKeysSkeleton />;
    if (id === 'new') return <CreationSkeleton heading={<CreateApiKeyHeading />} />;
    if (form === 'edit')
      return <EditSkeleton name={name ?? 'API key'} href={`${apiKeysPath}/${id}`} />;
    return <ApiKeySkeleton name={name} />;
  }
  if (noun === 'webhooks') {
    const name =
      nameIn(client.getQueryData(webhooksQuery(accountId).queryKey)) ??
      client.getQueryData(webhookQuery(accountId, id ?? '').queryKey)?.name;
    if (id === undefined) return <WebhooksSkeleton />;
    if (id === 'new') return <CreationSkeleton heading={<CreateWebhookHeading />} />;
    if (form === 'edit')
      return <EditSkeleton name={name ?? 'webhook'} href={`${webhooksPath}/${id}`} />;
    return <WebhookSkeleton name={name} pathname={pathname} />;
  }
  return null;
}

function CreationSkeleton({ heading }: { heading: ReactNode }) {
  return (
    <>
      {heading}
      <FormSkeleton />
    </>
  );
}

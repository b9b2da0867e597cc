'use client';

import { useQueryClient } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';

import { AccountSkeleton } from '#components/account/page/account-skeleton.tsx';
import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { CreateApiKeyHeading } from '#components/api-keys/form/create-api-key-heading.tsx';
import { IncidentSkeleton } from '#components/api-keys/incident/incident-skeleton.tsx';
import { ApiKeysSkeleton } from '#components/api-keys/list/api-keys-skeleton.tsx';
import { ApiKeySkeleton } from '#components/api-keys/page/api-key-skeleton.tsx';
import {
  RotationRequestListSkeleton,
  RotationRequestSkeleton,
} from '#components/api-keys/rotation-requests/rotation-request-skeleton.tsx';
import { ProfileSkeleton } from '#components/person/profile/profile-skeleton.tsx';
import { SecuritySkeleton } from '#components/person/security/security-skeleton.tsx';
import { AuditLogSkeleton } from '#components/audit-log/list/audit-log-skeleton.tsx';
import { EditSkeleton, FormSkeleton } from '#components/shell/form/form-skeleton.tsx';
import { documentTitle, PageTitle } from '#components/shell/page/page-title.tsx';
import { TeamSkeleton } from '#components/team/list/team-skeleton.tsx';
import { CreateWebhookHeading } from '#components/webhooks/form/create-webhook-heading.tsx';
import { WebhooksSkeleton } from '#components/webhooks/list/webhooks-skeleton.tsx';
import { WebhookSkeleton } from '#components/webhooks/page/webhook-skeleton.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { webhooksPath, webhookTabOf } from '#components/webhooks/webhook-path.ts';
import { useTemporaryTitle } from '#components/ui/rendering/use-temporary-title.ts';
import { accountOf, pagePartsOf } from '#lib/paths/account-path.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { pageTitles } from './page-titles.ts';

type LoadingPage = {
  /** The page's own part of the document's title. */
  title: string;
  skeleton: ReactNode;
};

/** Shown while the page at `path` opens, with that page’s title. */
export function OpeningPage({ path }: { path: string | null }) {
  const next = useLoadingPage(path);
  useTemporaryTitle(next && documentTitle(next.title));
  return next && <NuqsAdapter>{next.skeleton}</NuqsAdapter>;
}

/** Shown in place of the page at `path` when its data could not be read. */
export function UnreadPage({ path }: { path: string }) {
  const page = useLoadingPage(path);
  return (
    page && (
      <NuqsAdapter>
        <PageTitle>{page.title}</PageTitle>
        {page.skeleton}
      </NuqsAdapter>
    )
  );
}

/** Null: no page is loading, or it has no skeleton. */
function useLoadingPage(path: string | null): LoadingPage | null {
  const client = useQueryClient();
  if (path === null) return null;
  const accountId = accountOf(path) ?? '';
  const { area, id, subpage } = pagePartsOf(path);
  // Data that was read earlier contains the name.
  const nameIn = (things: readonly { uuid: string; name: string }[] = []) =>
    things.find(({ uuid }) => uuid === id)?.name;

  if (area === 'team') return { title: pageTitles.team, skeleton: <TeamSkeleton /> };
  if (area === 'audit-log') return { title: pageTitles.auditLog, skeleton: <AuditLogSkeleton /> };
  if (area === 'account') return { title: pageTitles.account, skeleton: <AccountSkeleton /> };
  if (area === 'profile') return { title: pageTitles.profile, skeleton: <ProfileSkeleton /> };
  if (area === 'security') return { title: pageTitles.security, skeleton: <SecuritySkeleton /> };
  if (area === 'rotation-requests') {
    return id === undefined
      ? { title: pageTitles.rotationRequests, skeleton: <RotationRequestListSkeleton /> }
      : { title: pageTitles.rotationRequest, skeleton: <RotationRequestSkeleton /> };
  }
  if (area === 'api-keys') {
    if (id === undefined) return { title: pageTitles.apiKeys, skeleton: <ApiKeysSkeleton /> };
    const name =
      nameIn(client.getQueryData(routeQuery(accountId, 'listApiKeys').queryKey)) ??
      client.getQueryData(routeQuery(accountId, 'getApiKey', { params: { apiKey: id } }).queryKey)
        ?.name;
    return loadingApiKeyPage({ id, subpage, name });
  }
  if (area === 'webhooks') {
    if (id === undefined) return { title: pageTitles.webhooks, skeleton: <WebhooksSkeleton /> };
    const name =
      nameIn(client.getQueryData(webhooksQuery(accountId).queryKey)) ??
      client.getQueryData(routeQuery(accountId, 'getWebhook', { params: { webhook: id } }).queryKey)
        ?.name;
    return loadingWebhookPage({ id, subpage, name, path });
  }
  return null;
}

type Named = {
  id: string;
  subpage: string | undefined;
  /** Undefined: it is not known yet. */
  name: string | undefined;
};

function loadingApiKeyPage({ id, subpage, name }: Named): LoadingPage {
  if (id === 'new') {
    const skeleton = <CreationSkeleton heading={<CreateApiKeyHeading />} />;
    return { title: pageTitles.newApiKey, skeleton };
  }
  if (id === 'incident') {
    const skeleton = <IncidentSkeleton isOneIncident={subpage !== undefined} />;
    return { title: pageTitles.incident, skeleton };
  }
  if (subpage === 'edit') {
    const skeleton = <EditSkeleton name={name ?? 'API key'} href={`${apiKeysPath}/${id}`} />;
    return { title: pageTitles.editApiKey, skeleton };
  }
  return { title: name ?? pageTitles.apiKey, skeleton: <ApiKeySkeleton name={name} /> };
}

function loadingWebhookPage({ id, subpage, name, path }: Named & { path: string }): LoadingPage {
  if (id === 'new') {
    const skeleton = <CreationSkeleton heading={<CreateWebhookHeading />} />;
    return { title: pageTitles.newWebhook, skeleton };
  }
  if (subpage === 'edit') {
    const skeleton = <EditSkeleton name={name ?? 'webhook'} href={`${webhooksPath}/${id}`} />;
    return { title: pageTitles.editWebhook, skeleton };
  }
  const [pathname = ''] = path.split(/[?#]/);
  const title = webhookTitle(webhookTabOf(pathname), name);
  return { title, skeleton: <WebhookSkeleton name={name} pathname={pathname} /> };
}

function CreationSkeleton({ heading }: { heading: ReactNode }) {
  return (
    <>
      {heading}
      <FormSkeleton />
    </>
  );
}

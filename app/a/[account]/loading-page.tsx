'use client';

import { useQueryClient } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { AccountHeading } from '#components/account/page/account-heading.tsx';
import { SettingsGroup } from '#components/account/settings-group.tsx';
import { apiKeysPath, incidentsPath } from '#components/api-keys/api-key-path.ts';
import { CreateApiKeyHeading } from '#components/api-keys/form/create-api-key-heading.tsx';
import { IncidentHeading } from '#components/api-keys/incident/incident-heading.tsx';
import { ApiKeyTableSkeleton } from '#components/api-keys/list/api-key-columns.tsx';
import { ApiKeysHeading, OldTokensHeading } from '#components/api-keys/list/api-keys-heading.tsx';
import { ApiKeySkeleton } from '#components/api-keys/page/api-key-skeleton.tsx';
import { RotationRequestSkeleton } from '#components/api-keys/rotation-requests/rotation-request-skeleton.tsx';
import { RotationRequestTableSkeleton } from '#components/api-keys/rotation-requests/rotation-request-table.tsx';
import { RotationRequestsHeading } from '#components/api-keys/rotation-requests/rotation-requests-heading.tsx';
import { ProfileHeading } from '#components/person/profile/profile-heading.tsx';
import { SecurityHeading } from '#components/person/security/security-heading.tsx';
import { AuditLogHeading } from '#components/audit-log/list/audit-log-heading.tsx';
import { EntryTableSkeleton } from '#components/audit-log/list/entry-columns.tsx';
import { EventTableSkeleton } from '#components/events/event-columns.tsx';
import { EventsHeading } from '#components/events/events-heading.tsx';
import { EditSkeleton, FormSkeleton } from '#components/shell/form/form-skeleton.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ControlSkeleton, LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { documentTitle, PageTitle } from '#components/shell/page/page-title.tsx';
import { MemberTableSkeleton } from '#components/team/list/member-columns.tsx';
import { TeamHeading } from '#components/team/list/team-heading.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { CreateWebhookHeading } from '#components/webhooks/form/create-webhook-heading.tsx';
import { WebhookTableSkeleton } from '#components/webhooks/list/webhook-columns.tsx';
import { WebhooksHeading } from '#components/webhooks/list/webhooks-heading.tsx';
import { WebhookSkeleton } from '#components/webhooks/page/webhook-skeleton.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { webhooksPath, webhookTabOf } from '#components/webhooks/webhook-path.ts';
import { useTemporaryTitle } from '#components/ui/rendering/use-temporary-title.ts';
import { accountOf, pagePartsOf } from '#lib/paths/account-path.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { keyUsageTitle, pageTitles } from './page-titles.ts';

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
  if (area === 'events') return { title: pageTitles.events, skeleton: <EventsSkeleton /> };
  if (area === 'audit-log') return { title: pageTitles.auditLog, skeleton: <AuditLogSkeleton /> };
  if (area === 'account') return { title: pageTitles.account, skeleton: <AccountSkeleton /> };
  if (area === 'profile') return { title: pageTitles.profile, skeleton: <ProfileSkeleton /> };
  if (area === 'security') return { title: pageTitles.security, skeleton: <SecuritySkeleton /> };
  if (area === 'rotation-requests') {
    return id === undefined
      ? { title: pageTitles.rotationRequests, skeleton: <RotationRequestsSkeleton /> }
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
    return subpage === undefined
      ? { title: pageTitles.incidents, skeleton: <IncidentHeading /> }
      : { title: pageTitles.incident, skeleton: <IncidentSkeleton /> };
  }
  if (id === 'old-tokens') {
    return { title: pageTitles.oldTokens, skeleton: <OldTokensHeading /> };
  }
  if (subpage === 'edit') {
    const skeleton = <EditSkeleton name={name ?? 'API key'} href={`${apiKeysPath}/${id}`} />;
    return { title: pageTitles.editApiKey, skeleton };
  }
  const title = subpage === 'usage' ? keyUsageTitle(name) : (name ?? pageTitles.apiKey);
  return { title, skeleton: <ApiKeySkeleton name={name} /> };
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
  if (subpage === 'signature') {
    const crumb = { href: `${webhooksPath}/${id}/settings`, label: name ?? 'Webhook' };
    const skeleton = (
      <>
        <PageHeading crumb={crumb} title={pageTitles.signatureDoctor} />
        <FormSkeleton />
      </>
    );
    return { title: pageTitles.signatureDoctor, skeleton };
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

function ApiKeysSkeleton() {
  return (
    <>
      <ApiKeysHeading actions={<ControlSkeleton width={112} />} />
      <div className="mb-3">
        <ControlSkeleton />
      </div>
      <ApiKeyTableSkeleton />
    </>
  );
}

function IncidentSkeleton() {
  return (
    <div aria-busy>
      <PageHeading crumb={{ href: incidentsPath, label: 'Incidents' }} title="Incident" />
      <LinesSkeleton title="Keys" widths={[280, 220, 250]} />
    </div>
  );
}

function RotationRequestsSkeleton() {
  return (
    <>
      <RotationRequestsHeading />
      <RotationRequestTableSkeleton />
    </>
  );
}

function WebhooksSkeleton() {
  return (
    <>
      <WebhooksHeading actions={<ControlSkeleton width={140} />} />
      <div className="mb-3">
        <ControlSkeleton />
      </div>
      <WebhookTableSkeleton />
    </>
  );
}

function EventsSkeleton() {
  return (
    <>
      <EventsHeading />
      <div className="mb-3">
        <ControlSkeleton width={420} />
      </div>
      <EventTableSkeleton />
    </>
  );
}

function AuditLogSkeleton() {
  return (
    <>
      <AuditLogHeading action={<ControlSkeleton width={96} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex h-control items-center max-sm:h-32">
          <Skeleton width={420} />
        </div>
        <EntryTableSkeleton />
      </div>
    </>
  );
}

function TeamSkeleton() {
  return (
    <>
      <TeamHeading action={<ControlSkeleton width={140} />} />
      <MemberTableSkeleton />
    </>
  );
}

function ProfileSkeleton() {
  return (
    <>
      <ProfileHeading />
      <div className="grid max-w-180 gap-10 max-sm:gap-8">
        <LinesSkeleton title="Name" widths={[70, 360, 110]} />
        <LinesSkeleton title="Email address" widths={[240, 360, 180]} />
        <LinesSkeleton title="Notifications" widths={[360, 360, 360, 360]} />
      </div>
    </>
  );
}

function SecuritySkeleton() {
  return (
    <>
      <SecurityHeading />
      <div className="grid max-w-180 gap-10 max-sm:gap-8">
        <LinesSkeleton title="Second factor" widths={[200]} />
        <LinesSkeleton title="Passkeys" widths={[280]} />
        <LinesSkeleton title="Authenticator app" widths={[320]} />
        <LinesSkeleton title="Where you are signed in" widths={[240, 180]} />
      </div>
    </>
  );
}

function AccountSkeleton() {
  return (
    <>
      <AccountHeading />
      {groups.map(({ title, description, widths }) => (
        <SettingsGroup key={title} title={title} description={description}>
          <div className="grid grid-cols-1 gap-2.5">
            {widths.map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
        </SettingsGroup>
      ))}
    </>
  );
}

const groups = [
  { title: 'Name', description: 'Shown to members, and in emails.', widths: [200] },
  {
    title: 'Support access',
    description: 'What people with the Support role can see in this account.',
    widths: [360, 280, 320],
  },
  { title: 'Sign-in', description: 'Applies to every member.', widths: [240, 180] },
];

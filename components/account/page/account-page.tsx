'use client';

import { useQuery } from '@tanstack/react-query';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { countKeys } from '#components/account/count-keys.ts';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { AccountHeading } from './account-heading.tsx';
import { DeleteAccount } from '../deletion/delete-account.tsx';
import { EditSettings } from '../settings/edit-settings.tsx';
import { SettingsFacts } from '../settings/settings-facts.tsx';

/** The settings of the account. Owners can change them; every member can read them. */
export function AccountPage({ session }: { session: Session }) {
  const { id } = session.account;
  const read = useQuery(routeQuery(id, 'getAccount'));
  const { data: account } = read;
  const { data: members } = useQuery(routeQuery(id, 'listMembers'));
  const { data: installationSupport } = useQuery(routeQuery(id, 'getInstallationSupport'));
  const { data: usage } = useQuery(routeQuery(id, 'getAccountUsage'));
  const isOwner = memberMay(memberRightsOf(session), 'account.manage');
  return (
    <>
      <AccountHeading />
      <ReadFailure
        what="The settings"
        shown="them"
        noun="the settings of the account"
        read={read}
      />
      {account && isOwner && (
        <EditSettings
          account={account}
          installationSupport={installationSupport}
          liveKeys={usage?.live_keys}
          members={members}
        />
      )}
      {account && !isOwner && (
        <SettingsFacts
          account={account}
          installationSupport={installationSupport}
          liveKeys={usage?.live_keys}
        />
      )}
      {account && isOwner && (
        <DeleteAccount
          account={account}
          counts={usage && { apiKeys: countKeys(usage.live_keys), webhooks: usage.webhooks }}
        />
      )}
    </>
  );
}

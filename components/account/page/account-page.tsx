'use client';

import { useQuery } from '@tanstack/react-query';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { apiKeyState } from '#components/shell/states/api-key-state.ts';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import { memberMay, memberRightsOf } from '#lib/contract/api-keys/ceiling.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { accountQuery } from '#lib/queries/account.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { membersQuery } from '#lib/queries/members.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { AccountHeading } from './account-heading.tsx';
import { DeleteAccount } from '../deletion/delete-account.tsx';
import { InstallationSupport } from '../installation-support/installation-support.tsx';
import { EditSettings } from '../settings/edit-settings.tsx';
import { SettingsFacts } from '../settings/settings-facts.tsx';

/** The page with the settings of the account. Owners can change them; every member can read them. */
export function AccountPage({ session }: { session: Session }) {
  const { id } = session.account;
  const { data: account, error, ...reading } = useQuery(accountQuery(id));
  const { data: members } = useQuery(membersQuery(id));
  const { data: webhooks } = useQuery(webhooksQuery(id));
  const apiKeys = useActiveKeys(id);
  const isOwner = memberMay(memberRightsOf(session), 'account.manage');
  return (
    <>
      <AccountHeading />
      {error && (
        <ReadFailure
          what="The settings"
          shown="them"
          noun="the settings of the account"
          error={error}
          isShown={account !== undefined}
          reading={reading}
        />
      )}
      {account && isOwner && <EditSettings account={account} apiKeys={apiKeys} members={members} />}
      {account && !isOwner && <SettingsFacts account={account} apiKeys={apiKeys} />}
      <InstallationSupport session={session} />
      {account && isOwner && (
        <DeleteAccount
          account={account}
          counts={apiKeys && webhooks && { apiKeys: apiKeys.length, webhooks: webhooks.length }}
        />
      )}
    </>
  );
}

/** The keys that work; undefined while they are not known. */
function useActiveKeys(accountId: string) {
  const { data } = useQuery(apiKeysQuery(accountId));
  const now = useEstimatedNow();
  return data?.filter((apiKey) => !['revoked', 'expired'].includes(apiKeyState(apiKey, now)));
}

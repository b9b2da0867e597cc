import { useQuery } from '@tanstack/react-query';
import { AllowInstallationSupport } from '#components/shell/installation-support/allow-installation-support.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { InstallationSupport as Support } from '#lib/contract/people/installation-support.ts';
import { memberMay } from '#lib/contract/rights/member-rights.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { countOf } from '#lib/count.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { SettingsGroup } from '../settings-group.tsx';
import { SetInstallationSupport } from './set-installation-support.tsx';

/** Whether people who support every account can open this one, and what they can see there. */
export function InstallationSupport({ session }: { session: Session }) {
  const { account, role } = session;
  const { data: support } = useQuery(routeQuery(account.id, 'getInstallationSupport'));
  if (!support) return null;
  const isOwner = mayAct(role, 'account.manage');
  return (
    <SettingsGroup
      id="installation-support"
      title="Installation support"
      description="Support by the operator of this service."
    >
      {isOwner ? (
        <>
          <AllowInstallationSupport
            account={account}
            support={support}
            label="Allow installation support"
            description={describeWho(support)}
          />
          {support.is_allowed && (
            <SetInstallationSupport accountId={account.id} support={support} />
          )}
        </>
      ) : (
        <Facts
          className="gap-y-2.5"
          facts={[
            {
              label: 'Allowed',
              value: support.is_allowed
                ? describeWho(support)
                : 'No. This account is hidden from them',
            },
            { label: 'New tokens', value: supportTokensTable[support.tokens].label },
            {
              label: 'Messages',
              value: support.payloads ? 'They can read messages' : 'They cannot read messages',
            },
            {
              label: 'Receivers’ error texts',
              value: memberMay({ role: 'support', support }, 'error-texts.read')
                ? 'They can read what receivers write in responses'
                : 'They cannot read what receivers write in responses',
            },
          ]}
        />
      )}
    </SettingsGroup>
  );
}

function describeWho({ people }: Support): string {
  if (people.length === 0) return 'No one supports every account yet.';
  const who = countOf(
    people.length,
    'person who supports every account',
    'people who support every account',
  );
  return `${who} can open this one, with a reason.`;
}

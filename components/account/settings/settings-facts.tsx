import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import { supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import type { Account } from '#lib/contract/people/accounts.ts';
import { memberMay } from '#lib/contract/rights/member-rights.ts';
import { SettingsGroup } from '../settings-group.tsx';
import { describeSessionHours } from './session-lengths.ts';
import { countCovered } from './support-settings.tsx';

type SettingsFactsProps = {
  account: Account;
  liveKeys: readonly KeysOfScopes[] | undefined;
};

/** The settings of the account for those who cannot change them. */
export function SettingsFacts({ account, liveKeys }: SettingsFactsProps) {
  const { support, second_factor_required_from: from } = account;
  const { label, description } = supportTokensTable[support.tokens];
  return (
    <>
      <SettingsGroup title="Name" description="Shown to members, and in emails.">
        <p className="wrap-anywhere">{account.name}</p>
      </SettingsGroup>
      <SettingsGroup
        id="support-access"
        title="Support access"
        description="What people with the Support role can see in this account."
      >
        <Facts
          className="gap-y-2.5"
          facts={[
            {
              label: 'New tokens',
              value: (
                <>
                  {label}
                  <span className="block text-small text-ink-3">
                    {description}
                    {liveKeys && ` ${countCovered(support, liveKeys)}.`}
                  </span>
                </>
              ),
            },
            {
              label: 'Messages',
              value: support.payloads
                ? 'Support can read messages and event payloads'
                : 'Support cannot read messages or event payloads, or see tokens of keys that can read them or manage webhooks',
            },
            {
              label: 'Receivers’ error texts',
              value: memberMay({ role: 'support', support }, 'error-texts.read')
                ? 'Support can read what receivers write in responses'
                : 'Support cannot read what receivers write in responses',
            },
          ]}
        />
      </SettingsGroup>
      <SettingsGroup title="Sign-in" description="Applies to every member.">
        <Facts
          className="gap-y-2.5"
          facts={[
            {
              label: 'Second factor',
              value:
                from === null ? (
                  'Not required'
                ) : (
                  <>
                    Required from <ExactTime form="day" value={from} />
                  </>
                ),
            },
            {
              label: 'Sessions',
              value: `End after ${describeSessionHours(account.session_hours)}`,
            },
          ]}
        />
      </SettingsGroup>
    </>
  );
}

import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import { supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import type { Account } from '#lib/contract/people/accounts.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { memberMay, type SupportAccess } from '#lib/contract/rights/member-rights.ts';
import { SettingsGroup } from '../settings-group.tsx';
import { describeSessionHours } from './session-lengths.ts';
import { countCovered, describeOperator, whyNoMore } from './support-settings.tsx';

type SettingsFactsProps = {
  account: Account;
  /** Undefined until it is known. */
  installationSupport: InstallationSupport | undefined;
  liveKeys: readonly KeysOfScopes[] | undefined;
};

/** The settings of the account for those who cannot change them. */
export function SettingsFacts({ account, installationSupport, liveKeys }: SettingsFactsProps) {
  const { support, second_factor_required_from: from } = account;
  return (
    <>
      <SettingsGroup title="Name" description="Shown to members, and in emails.">
        <p className="wrap-anywhere">{account.name}</p>
      </SettingsGroup>
      <SettingsGroup
        id="support-access"
        title="Support access"
        description="What those who help you can see in this account: members with the Support role, and the operator of this service."
      >
        <SupportFacts support={support} liveKeys={liveKeys} />
        {installationSupport && (
          <>
            <h3 className="font-medium">Support by the operator of this service</h3>
            {installationSupport.is_allowed ? (
              <>
                <p>{describeOperator(installationSupport)}</p>
                <SupportFacts support={installationSupport} liveKeys={liveKeys} />
              </>
            ) : (
              <p>Not allowed. This account is hidden from them.</p>
            )}
          </>
        )}
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

type SupportFactsProps = { support: SupportAccess } & Pick<SettingsFactsProps, 'liveKeys'>;

/** What support can see, of the account or of the installation. */
function SupportFacts({ support, liveKeys }: SupportFactsProps) {
  const { label, description } = supportTokensTable[support.tokens];
  return (
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
                {liveKeys && ` ${countCovered(support, liveKeys)}. ${whyNoMore(support, liveKeys)}`}
              </span>
            </>
          ),
        },
        {
          label: 'Messages',
          value: support.payloads
            ? 'They can read messages and event payloads'
            : 'They cannot read messages or event payloads, or see tokens of keys that can read them or manage webhooks',
        },
        {
          label: 'Receivers’ error texts',
          value: memberMay({ role: 'support', support }, 'error-texts.read')
            ? 'They can read what receivers write in responses'
            : 'They cannot read what receivers write in responses',
        },
      ]}
    />
  );
}

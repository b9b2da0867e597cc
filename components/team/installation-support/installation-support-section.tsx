import { useQuery } from '@tanstack/react-query';
import { AllowInstallationSupport } from '#components/shell/installation-support/allow-installation-support.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { SupporterTable } from './supporter-table.tsx';

/** Who supports every account on the installation, and whether they can open this one. */
export function InstallationSupportSection({ session }: { session: Session }) {
  const { account, role } = session;
  const { data: support } = useQuery({
    ...routeQuery(account.id, 'getInstallationSupport'),
    refetchInterval: pageRefetchInterval,
  });
  // If nobody supports all accounts and this account allows it, there is nothing to show.
  if (!support || (support.people.length === 0 && support.is_allowed)) return null;
  const { people } = support;
  const isOwner = mayAct(role, 'account.manage');

  return (
    <div className="mt-10">
      <Section
        id="installation-support"
        title={
          <>
            Installation support{' '}
            <span className="ml-1 font-normal text-ink-3">{people.length}</span>
          </>
        }
        action={
          isOwner && (
            <AllowInstallationSupport
              account={account}
              support={support}
              label="Allow in this account"
            />
          )
        }
      >
        <p className="max-w-[78ch] text-pretty text-ink-2">
          {support.is_allowed
            ? `They support every account on this installation, and can open ${account.name} once they give a reason.${isOwner ? ' Turn this off to hide the account from them.' : ''}`
            : `They support every account on this installation. ${account.name} is hidden from them.`}
        </p>
        {people.length > 0 && <SupporterTable people={people} accountName={account.name} />}
        {support.is_allowed && (
          <p className="text-small text-pretty text-ink-3">
            {describeCeiling(support)}{' '}
            {isOwner && (
              <PageLink className="link" href="settings/account#support-access">
                Change what they can see
              </PageLink>
            )}
          </p>
        )}
      </Section>
    </div>
  );
}

function describeCeiling(support: InstallationSupport): string {
  const tokens = supportTokensTable[support.tokens].label.toLowerCase();
  return `New tokens they can see: ${tokens}. ${describeReading(support)}`;
}

function describeReading({ payloads, error_texts: errorTexts }: InstallationSupport): string {
  if (payloads) return 'They can read messages.';
  return errorTexts
    ? 'They can read receivers’ error texts, and no messages.'
    : 'They cannot read messages or receivers’ error texts.';
}

import { Section } from '#components/shell/page/section.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { memberMay, memberRightsOf, supportTokensTable } from '#lib/contract/api-keys/ceiling.ts';
import type { Session } from '#lib/contract/dashboard.ts';

import { SetSupportAccess } from './set-support-access.tsx';

/** What members with the role support can see. Owners can change it; every member can read it. */
export function SupportAccess({ session }: { session: Session }) {
  const { account } = session;
  const { tokens, payloads } = account.support;
  return (
    <Section id="support-access" title="Support access">
      <p className="text-pretty text-ink-2">
        What people with the Support role can see in {account.name}. If a key can do more, they
        cannot rotate it themselves, but they can request a rotation from an owner or an admin.
      </p>
      {memberMay(memberRightsOf(session), 'account.manage') ? (
        <SetSupportAccess support={account.support} />
      ) : (
        <>
          <Facts
            className="gap-y-2.5"
            facts={[
              {
                label: 'New tokens',
                value: (
                  <>
                    {supportTokensTable[tokens].label}
                    <span className="block text-small text-ink-3">
                      {supportTokensTable[tokens].description}
                    </span>
                  </>
                ),
              },
              {
                label: 'Messages',
                value: payloads
                  ? 'Support can read messages and event payloads'
                  : 'Support cannot read messages or event payloads, or see tokens of keys that can',
              },
            ]}
          />
          <p className="text-small text-ink-3">An owner of {account.name} can change this.</p>
        </>
      )}
    </Section>
  );
}

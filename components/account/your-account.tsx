import { Section } from '#components/shell/page/section.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { Session } from '#lib/contract/dashboard.ts';
import { roleTable } from '#lib/contract/roles.ts';

import { ChangePassword } from './change-password.tsx';
import { Sessions } from './sessions.tsx';
import { SupportAccess } from './support-access.tsx';
import { YourAccountHeading } from './your-account-heading.tsx';

/**
 * The page about the signed-in person: name and accounts, sessions, password. It also shows the
 * account's support access, because the account has no page of its own yet.
 */
export function YourAccount({ session }: { session: Session }) {
  const { person, accounts } = session;
  return (
    <>
      <YourAccountHeading />
      <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-10 max-sm:gap-8">
        <Section title="Details">
          <Facts
            className="gap-y-2.5"
            facts={[
              { label: 'Name', value: person.name },
              { label: 'E-mail', value: person.email },
              {
                label: accounts.length === 1 ? 'Account' : 'Accounts',
                value: (
                  <ul>
                    {accounts.map((account) => (
                      <li key={account.id}>
                        {account.name}
                        <span className="text-ink-3"> · {roleTable[account.role].label}</span>
                      </li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
        </Section>
        <Sessions viewer={session} />
        <ChangePassword viewer={session} />
        <SupportAccess session={session} />
      </div>
    </>
  );
}

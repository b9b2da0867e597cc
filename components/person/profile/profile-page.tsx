import { Section } from '#components/shell/page/section.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { Session } from '#lib/contract/dashboard.ts';
import { roleTable } from '#lib/contract/roles.ts';

import { ProfileHeading } from './profile-heading.tsx';

/** The page about who the signed-in person is: name, e-mail address, accounts. */
export function ProfilePage({ session }: { session: Session }) {
  const { person, accounts } = session;
  return (
    <>
      <ProfileHeading />
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
      </div>
    </>
  );
}

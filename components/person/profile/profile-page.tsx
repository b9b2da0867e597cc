import { Section } from '#components/shell/page/section.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { Notifications } from '../notifications/notifications.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangeName } from './change-name.tsx';
import { ProfileHeading } from './profile-heading.tsx';

/** The page about who the signed-in person is: name, email address, accounts. */
export function ProfilePage({ session }: { session: Session }) {
  const { accounts } = session;
  return (
    <>
      <ProfileHeading />
      <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-10 max-sm:gap-8">
        <ChangeName session={session} />
        <ChangeEmail session={session} />
        <Notifications session={session} />
        <Section title={accounts.length === 1 ? 'Account' : 'Accounts'}>
          <ul className="grid gap-1.5">
            {accounts.map((account) => (
              <li key={account.id} className="wrap-anywhere">
                {account.name}
                <span className="text-ink-3"> · {roleTable[account.role].label}</span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}

import { Skeleton } from '#components/ui/data-display/skeleton.tsx';

import { AccountHeading } from './account-heading.tsx';
import { SettingsGroup } from '../settings-group.tsx';

/** The page while its data is loading. */
export function AccountSkeleton() {
  return (
    <>
      <AccountHeading />
      {groups.map(({ title, description, widths }) => (
        <SettingsGroup key={title} title={title} description={description}>
          <div className="grid grid-cols-1 gap-2.5">
            {widths.map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
        </SettingsGroup>
      ))}
    </>
  );
}

const groups = [
  { title: 'Name', description: 'Shown to members, and in emails.', widths: [200] },
  {
    title: 'Support access',
    description: 'What people with the Support role can see in this account.',
    widths: [360, 280, 320],
  },
  { title: 'Sign-in', description: 'Applies to every member.', widths: [240, 180] },
];

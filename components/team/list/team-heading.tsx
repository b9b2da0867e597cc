import type { ReactNode } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';

/** @param action the button to invite, for those who can */
export function TeamHeading({ action }: { action?: ReactNode }) {
  return (
    <PageHeading
      title="Team"
      actions={action}
      sentence="People who can open this account, and what each of them can do."
    />
  );
}

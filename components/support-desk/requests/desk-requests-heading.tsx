import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function DeskRequestsHeading() {
  return (
    <PageHeading
      title="My requests"
      sentence="The rotations that you requested in all accounts you can open, and their outcomes."
    />
  );
}

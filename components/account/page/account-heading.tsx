import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function AccountHeading() {
  return (
    <PageHeading
      title="Account"
      sentence="Only owners can change these settings. All members can see them."
    />
  );
}

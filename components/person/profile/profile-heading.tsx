import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function ProfileHeading() {
  return (
    <PageHeading
      title="Profile"
      sentence="Your name and email address, the same in every account you belong to."
    />
  );
}

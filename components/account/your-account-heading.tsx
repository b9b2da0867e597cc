import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function YourAccountHeading() {
  return (
    <PageHeading
      title="Your account"
      sentence="Your own sign-in, the same in every account you belong to."
    />
  );
}

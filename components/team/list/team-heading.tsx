import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function TeamHeading() {
  return (
    <PageHeading
      title="Team"
      sentence="People who can open this account, and what each of them can do."
    />
  );
}

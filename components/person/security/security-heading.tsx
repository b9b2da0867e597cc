import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function SecurityHeading() {
  return <PageHeading title="Security" sentence="How you sign in, and where you are signed in." />;
}

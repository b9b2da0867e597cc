import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function EventsHeading() {
  return (
    <PageHeading
      title="Events"
      sentence="What happened in this account, with the outcome at each webhook."
    />
  );
}

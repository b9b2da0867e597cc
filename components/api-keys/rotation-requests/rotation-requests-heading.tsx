import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function RotationRequestsHeading({ seesAll }: { seesAll?: boolean }) {
  return (
    <PageHeading
      title="Requests"
      sentence={
        seesAll === true
          ? 'Requests between members of this account, and their outcomes.'
          : 'Requests that you made or received, every report of a leak, and their outcomes.'
      }
    />
  );
}

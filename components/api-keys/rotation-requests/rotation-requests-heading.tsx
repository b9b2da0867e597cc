import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function RotationRequestsHeading({ seesAll }: { seesAll?: boolean }) {
  return (
    <PageHeading
      title="Requests"
      sentence={
        seesAll === true
          ? 'What members of this account ask one another to do, and the outcomes.'
          : 'What you asked for or were asked to do, every report of a leak, and the outcomes.'
      }
    />
  );
}

import type { ReactNode } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';

export function AuditLogHeading({ action }: { action?: ReactNode }) {
  return (
    <PageHeading
      title="Audit log"
      sentence="Who changed which key, webhook, member or setting, when, and from where."
      actions={action}
    />
  );
}

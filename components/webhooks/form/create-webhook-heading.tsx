import type { ReactNode } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { webhooksPath } from '../webhook-path.ts';

/** @param props.quotaUse how many webhooks the account has and can have */
export function CreateWebhookHeading({ quotaUse }: { quotaUse?: ReactNode }) {
  return (
    <PageHeading
      crumb={{ href: webhooksPath, label: 'Webhooks' }}
      title="Create webhook"
      sentence={
        <>
          A webhook sends the events you choose to a URL of your server.
          {quotaUse}
        </>
      }
    />
  );
}

// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { PageSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { webhooksPath, webhookTabOf } from '../webhook-path.ts';
import { WebhookTabSkeleton } from './webhook-tab-skeleton.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';

type WebhookSkeletonProps = {
  /** Undefined: it is not known yet. */
  name?: string | undefined;
  /** The full path of the page, which names the webhook and the tab. */
  pathname: string;
};

/** The page of a webhook while its data is loading. */
export function WebhookSkeleton({ name = 'Webhook', pathname }: WebhookSkeletonProps) {
  const tab = webhookTabOf(pathname);
  const [, reference = ''] = /\/settings\/webhooks\/([^/]+)/.exec(pathname) ?? [];
  return (
    <PageSkeleton
      crumb={{ href: webhooksPath, label: 'Webhooks' }}
      title={name}
      sentence={[320, 260]}
    >
      <div>
        <WebhookTabs label={name} reference={reference} current={tab} />
        <div className="grid gap-10 max-sm:gap-8">
          <WebhookTabSkeleton tab={tab} />
        </div>
      </div>
    </PageSkeleton>
  );
}

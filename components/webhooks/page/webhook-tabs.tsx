import { TabLinks } from '#components/ui/navigation/tab-links.tsx';

import { type WebhookTab, webhookPath, webhookTabs } from '../webhook-path.ts';

type WebhookTabsProps = {
  /** The webhook's name. */
  label: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  current: WebhookTab;
};

/** The links to the tabs of a webhook's page. */
export function WebhookTabs({ label, reference, current }: WebhookTabsProps) {
  return (
    <TabLinks
      label={label}
      tabs={webhookTabs.map((tab) => ({
        href: webhookPath({ uuid: reference }, tab),
        label: LABELS[tab],
        isCurrent: tab === current,
      }))}
    />
  );
}

const LABELS: Record<WebhookTab, string> = {
  overview: 'Overview',
  deliveries: 'Deliveries',
  settings: 'Settings',
};

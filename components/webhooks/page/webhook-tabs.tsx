// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { TabLinks } from '#components/shell/page/tab-links.tsx';
import {
  statisticsWindowSearch,
  useStatisticsWindow,
} from '#components/shell/chart/use-statistics-window.ts';
import { webhookPath, type WebhookTab, webhookTabOf, webhookTabs } from '../webhook-path.ts';

type WebhookTabsProps = {
  /** The webhook's name. */
  label: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  current: WebhookTab;
};

export function WebhookTabs({ label, reference, current }: WebhookTabsProps) {
  const overviewSearch = useOverviewSearch();
  return (
    <TabLinks
      extent="tab"
      label={label}
      tabs={webhookTabs.map((tab) => ({
        href: `${webhookPath({ uuid: reference }, tab)}${tab === 'overview' ? overviewSearch : ''}`,
        label: labels[tab],
        isCurrent: tab === current,
      }))}
    />
  );
}

const labels: Record<WebhookTab, string> = {
  overview: 'Overview',
  deliveries: 'Deliveries',
  settings: 'Settings',
};

/** The query of the overview's URL while it is shown, kept for the link back to it. */
function useOverviewSearch(): string {
  const isOverview = webhookTabOf(usePathname()) === 'overview';
  const [window] = useStatisticsWindow();
  const [kept, setKept] = useState(window);
  // During rendering, as React advises for state that follows other values.
  if (isOverview && kept !== window) setKept(window);
  return statisticsWindowSearch(kept);
}

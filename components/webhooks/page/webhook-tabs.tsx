'use client';
// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { usePathname } from 'next/navigation';
import { useState } from 'react';

import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { cn } from '#lib/class-names/cn.ts';

import { statisticsWindowSearch, useStatisticsWindow } from '../health/use-statistics-window.ts';
import { webhookPath, type WebhookTab, webhookTabOf, webhookTabs } from '../webhook-path.ts';

type WebhookTabsProps = {
  /** The webhook's name. */
  label: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  current: WebhookTab;
};

/** The links to the tabs of a webhook's page. */
export function WebhookTabs({ label, reference, current }: WebhookTabsProps) {
  const overviewSearch = useOverviewSearch();
  return (
    <TabLinks
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

type TabLink = {
  href: string;
  label: string;
  /**
   * Changes in the task after a press. Until then, the `current` variant marks the pressed link.
   */
  isCurrent: boolean;
};

type TabLinksProps = {
  /** The name of the page whose parts the tabs are, for screen readers. */
  label: string;
  tabs: readonly TabLink[];
};

/** The parts of a page as links in a row. Each part has its own address. */
function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav
      data-links
      aria-label={label}
      className="mb-6 border-b border-line max-sm:mb-5 print:hidden"
    >
      <ul className="-mb-px flex gap-x-6 max-narrow:flex-wrap">
        {tabs.map(({ href, label: text, isCurrent }) => (
          <li key={text}>
            <PageLink
              href={href}
              extent="tab"
              aria-current={isCurrent ? 'page' : undefined}
              className={tabClass}
            >
              {text}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const tabClass = cn(
  'flex h-10 items-center border-b-2 border-transparent font-medium text-ink-3 no-underline max-sm:h-11 pointer-coarse:h-11',
  'hover:text-ink',
  'current:border-accent current:text-ink',
  'forced-colors:border-[Canvas] forced-colors:current:border-[Highlight]',
);

// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import type { NavigationExtent } from '#components/ui/navigation/navigation.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { cn } from '#lib/class-names/cn.ts';

type TabLink = {
  href: string;
  label: string;
  /** Changes in the task after a press. Until then, `current:` marks the pressed link. */
  isCurrent: boolean;
};

type TabLinksProps = {
  /** The name of the page whose parts the tabs are, for screen readers. */
  label: string;
  tabs: readonly TabLink[];
  /** `tab`: what is above the tabs stays while another one opens. */
  extent?: NavigationExtent;
};

/** The parts of a page as links in a row. Each part has its own address. */
export function TabLinks({ label, tabs, extent = 'page' }: TabLinksProps) {
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
              extent={extent}
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

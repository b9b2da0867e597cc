import { ChevronLeft, ChevronRight } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { NavigationGroup, NavigationLink } from '#lib/docs/site.ts';
import { DocsSearch } from './docs-search.tsx';

type DocsSidebarProps = {
  navigation: readonly NavigationGroup[];
  /** Called when a page is chosen, so that the sheet closes. */
  onNavigate?: () => void;
};

/** The search, the links to all pages, and the way back to the dashboard. */
export function DocsSidebar({ navigation, onNavigate }: DocsSidebarProps) {
  const pathname = usePathname();
  // Changes in the task after the press. Until then, the `current` variant marks the pressed link.
  const path = usePendingNavigation()?.path.split('#')[0] ?? pathname;
  const [search, setSearch] = useState('');
  return (
    <div data-links className="flex h-full flex-col overflow-y-auto p-3">
      <PageLink
        href="/docs"
        className="mb-2 flex h-10 shrink-0 items-center gap-2.5 px-2 font-medium text-ink no-underline"
      >
        <span
          aria-hidden
          className="grid size-6 place-items-center rounded-2 bg-ink text-[0.625rem] font-semibold text-canvas"
        >
          CS
        </span>
        Documentation
      </PageLink>
      <DocsSearch search={search} onSearch={setSearch} onChoose={onNavigate} />
      {search.trim() === '' &&
        navigation.map(({ label, links }) => (
          <nav key={label} aria-label={label} className="mt-4">
            <p aria-hidden className="mb-1 px-2 text-micro leading-5 font-medium text-ink-3">
              {label}
            </p>
            <Links links={links} path={path} onNavigate={onNavigate} />
          </nav>
        ))}
      <div className="mt-auto pt-6">
        {/* A full page load: the dashboard has a frame of its own. */}
        <a href={dashboardPath} className={linkClass}>
          <ChevronLeft aria-hidden className="text-ink-3" />
          Dashboard
        </a>
      </div>
    </div>
  );
}

const dashboardPath = '/';

type LinksProps = {
  links: readonly NavigationLink[];
  path: string;
  onNavigate: (() => void) | undefined;
};

function Links({ links, path, onNavigate }: LinksProps) {
  return (
    <ul className="grid gap-px">
      {links.map(({ href, title, links: below }) => {
        const isOpen = below?.some((one) => one.href === path) || href === path;
        return (
          <li key={href}>
            <PageLink
              href={href}
              aria-current={href === path ? 'page' : undefined}
              {...(onNavigate && { onClick: onNavigate })}
              className={linkClass}
            >
              <span className="min-w-0 flex-1">{title}</span>
              {below && (
                <ChevronRight
                  aria-hidden
                  className={cn('icon-14 text-ink-3', isOpen && 'rotate-90')}
                />
              )}
            </PageLink>
            {below && isOpen && (
              <div className="my-px ml-2 border-l border-line pl-1">
                <Links links={below} path={path} onNavigate={onNavigate} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const linkClass = cn(
  'flex min-h-7 items-center gap-2 rounded-3 px-2 py-1 text-small text-ink-2 no-underline hover:bg-fill-hover max-[60rem]:min-h-11 pointer-coarse:min-h-11',
  'current:bg-fill-active current:font-medium current:text-ink',
);

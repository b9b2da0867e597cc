// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import {
  Activity,
  ArrowUpRight,
  BookOpen,
  KeyRound,
  LifeBuoy,
  ScrollText,
  Settings2,
  Shield,
  User,
  Users,
  Webhook,
} from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { supportDeskPath } from '#lib/paths/account-path.ts';
import { cn } from '#lib/class-names/cn.ts';
import { type Act, mayAct } from '#lib/contract/rights/roles.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import type { FrameProps } from './frame-props.ts';
import { PersonMenu } from './person-menu.tsx';
import { SearchButton } from './search-button.tsx';

type SidebarProps = FrameProps & {
  /** Called when a page is chosen, so that the sheet closes. */
  onNavigate?: () => void;
};

// Only pages that exist are listed.
const settings: readonly Page[] = [
  {
    href: 'settings/api-keys',
    also: 'settings/rotation-requests',
    label: 'API keys',
    icon: <KeyRound />,
  },
  { href: 'settings/webhooks', label: 'Webhooks', icon: <Webhook /> },
  { href: 'settings/events', label: 'Events', icon: <Activity /> },
  { href: 'settings/team', label: 'Team', icon: <Users /> },
  {
    href: 'settings/audit-log',
    label: 'Audit log',
    icon: <ScrollText />,
    act: 'audit-log.read',
  },
  { href: 'settings/account', label: 'Account', icon: <Settings2 /> },
];

/** The signed-in person's own pages. The person's menu leads to them. */
const personalPages: readonly Page[] = [
  { href: 'settings/profile', label: 'Profile', icon: <User /> },
  { href: 'settings/security', label: 'Security', icon: <Shield /> },
];

type Page = {
  href: string;
  /** Pages that belong to it, although their addresses are not below its own. */
  also?: string;
  label: string;
  icon: ReactNode;
  /** Hidden from those whose role lacks it. */
  act?: Act;
};

/** Account switcher, links to pages and to the documentation, the person's menu, and the version. */
export function Sidebar({ session, version, onNavigate }: SidebarProps) {
  const pathname = usePathname();
  // Changes in the task after the press. Until then, the `current` variant marks the pressed link.
  const path = usePendingNavigation()?.path.split('?')[0] ?? pathname;
  const fullPath = useFullPath();
  const isCurrent = ({ href, also }: Page) =>
    [href, also].some((page) => {
      if (page === undefined) return false;
      const address = fullPath(page);
      return path === address || path.startsWith(`${address}/`);
    });
  return (
    <div data-links className="flex h-full flex-col overflow-y-auto p-3">
      <AccountSwitcher session={session} />
      <PageGroup
        label="Settings"
        pages={settingsOf(session)}
        isCurrent={isCurrent}
        onNavigate={onNavigate}
      />
      {personalPages.some(isCurrent) && (
        <PageGroup
          label="Personal settings"
          pages={personalPages}
          isCurrent={isCurrent}
          onNavigate={onNavigate}
        />
      )}
      <div className="mt-auto pt-6">
        {canOpenSeveral(session) && (
          // A full page load: the desk has a frame of its own.
          <a href={supportDeskPath} className={sideLinkClass}>
            <LifeBuoy />
            Support desk
          </a>
        )}
        <SearchButton onClick={onNavigate} className={cn(sideLinkClass, 'w-full')} />
        <a href="/docs" target="_blank" rel="noreferrer" className={sideLinkClass}>
          <BookOpen />
          Documentation
          <ArrowUpRight aria-hidden className="icon-14 ml-auto text-ink-3" />
          <span className="sr-only">, opens in a new tab</span>
        </a>
        <PersonMenu session={session} onNavigate={onNavigate} />
        <p className="px-2 pt-1.5 text-micro text-ink-3">Version {version}</p>
      </div>
    </div>
  );
}

/** Whether there are other accounts to search. */
function canOpenSeveral({ accounts, is_installation_support: canOpenAll }: FrameProps['session']) {
  return canOpenAll || accounts.length > 1;
}

/** An account that is being deleted has only the page to restore it. */
function settingsOf({ account, role }: FrameProps['session']): readonly Page[] {
  if (account.erased_at === null) {
    return settings.filter(({ act }) => act === undefined || mayAct(role, act));
  }
  return settings.filter(({ href }) => href === 'settings/account');
}

type PageGroupProps = {
  label: string;
  pages: readonly Page[];
  isCurrent: (page: Page) => boolean;
  onNavigate: (() => void) | undefined;
};

function PageGroup({ label, pages, isCurrent, onNavigate }: PageGroupProps) {
  return (
    <nav aria-label={label} className="mt-5">
      <p aria-hidden className="mb-1 px-2 text-micro leading-5 font-medium text-ink-3">
        {label}
      </p>
      <ul className="grid gap-px">
        {pages.map((page) => (
          <li key={page.href}>
            <SideLink
              href={page.href}
              icon={page.icon}
              isCurrent={isCurrent(page)}
              onClick={onNavigate}
            >
              {page.label}
            </SideLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SideLinkProps = {
  href: string;
  icon: ReactNode;
  isCurrent: boolean;
  onClick: (() => void) | undefined;
  children: ReactNode;
};

function SideLink({ href, icon, isCurrent, onClick, children }: SideLinkProps) {
  return (
    <PageLink
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      {...(onClick ? { onClick } : {})}
      className={sideLinkClass}
    >
      {icon}
      {children}
    </PageLink>
  );
}

const sideLinkClass = cn(
  'flex h-8 items-center gap-2.5 rounded-3 px-2 text-ink-2 no-underline hover:bg-fill-hover max-[60rem]:h-11 pointer-coarse:h-11',
  '[&>svg:first-child]:mx-1 [&>svg:first-child]:text-ink-3',
  'current:bg-fill-active current:font-medium current:text-ink current:[&>svg:first-child]:text-accent',
);

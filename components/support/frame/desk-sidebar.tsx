'use client';

import { ArrowUpRight, Building2, LifeBuoy, Search, Send, Terminal } from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { cn } from '#lib/cn.ts';
import {
  accountPath,
  accountsPath,
  deskRequestsPath,
  firstPage,
  supportDeskPath,
} from '#lib/account-path.ts';
import type { SupportDesk } from '#lib/contract/support/support-desk.ts';

import { DeskMenu } from './desk-menu.tsx';
import { useWaitingRequests } from './use-waiting-requests.ts';

/** Links to the pages for all accounts and to the accounts used last, and the person's menu. */
export function DeskSidebar({ desk }: { desk: SupportDesk }) {
  const pathname = usePathname();
  // Changes in the task after the press. Until then, the `current` variant marks the pressed link.
  const path = usePendingNavigation()?.path.split('?')[0] ?? pathname;
  const currentIf = (href: string) => (path === href ? ('page' as const) : undefined);
  const waiting = useWaitingRequests(desk.person.id);
  const { recent_accounts: recent, is_installation_support: canOpenAll } = desk;
  return (
    <div data-links className="flex h-full flex-col overflow-y-auto p-3">
      <p className="flex h-10 items-center gap-2.5 px-2 font-medium">
        <span
          aria-hidden
          className="grid size-6 place-items-center rounded-2 bg-ink text-canvas [&>svg]:size-3.5"
        >
          <LifeBuoy />
        </span>
        All accounts
      </p>
      <Group label="Support">
        <li>
          <PageLink
            href={supportDeskPath}
            aria-current={currentIf(supportDeskPath)}
            className={linkClass}
          >
            <Search />
            Support desk
          </PageLink>
        </li>
        <li>
          <PageLink
            href={deskRequestsPath}
            aria-current={currentIf(deskRequestsPath)}
            className={linkClass}
          >
            <Send />
            My requests
            {waiting !== null && (
              <span className="ml-auto pr-1 text-small font-normal text-ink-3 tabular-nums">
                {waiting}
                <span className="sr-only"> waiting</span>
              </span>
            )}
          </PageLink>
        </li>
        {canOpenAll && (
          <li>
            <a href={accountsPath} className={linkClass}>
              <Building2 />
              Choose an account
            </a>
          </li>
        )}
      </Group>
      {recent.length > 0 && (
        <Group label="Recent accounts">
          {recent.map(({ id, name }) => (
            <li key={id}>
              {/* A full page load: the frame of the account comes with it. */}
              <a href={accountPath(id, firstPage)} title={name} className={linkClass}>
                <Building2 />
                <span className="min-w-0 truncate">{name}</span>
              </a>
            </li>
          ))}
        </Group>
      )}
      <div className="mt-auto pt-6">
        <a href="/api/v1/openapi.json" target="_blank" rel="noreferrer" className={linkClass}>
          <Terminal />
          API reference
          <ArrowUpRight aria-hidden className="icon-14 ml-auto text-ink-3" />
          <span className="sr-only">, opens in a new tab</span>
        </a>
        <DeskMenu desk={desk} />
      </div>
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="mt-5">
      <p aria-hidden className="mb-1 px-2 text-micro leading-5 font-medium text-ink-3">
        {label}
      </p>
      <ul className="grid gap-px">{children}</ul>
    </nav>
  );
}

const linkClass = cn(
  'flex h-8 items-center gap-2.5 rounded-3 px-2 text-ink-2 no-underline hover:bg-fill-hover pointer-coarse:h-11',
  '[&>svg:first-child]:mx-1 [&>svg:first-child]:shrink-0 [&>svg:first-child]:text-ink-3',
  'current:bg-fill-active current:font-medium current:text-ink current:[&>svg:first-child]:text-accent',
);

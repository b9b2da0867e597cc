import { ArrowUpRight, LifeBuoy } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { SearchButton } from '#components/shell/frame/navigation/search-button.tsx';
import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { DeskMenu } from './desk-menu.tsx';
import { type DeskLink, useDeskLinks } from './use-desk-links.tsx';

/** Links to the pages of the desk and the accounts used last, the person's menu, the version. */
export function DeskSidebar({ desk, version }: { desk: SupportDesk; version: string }) {
  const pathname = usePathname();
  // Changes in the task after the press. Until then, the `current` variant marks the pressed link.
  const path = usePendingNavigation()?.path.split('?')[0] ?? pathname;
  const { support, operator, recent, documentation } = useDeskLinks(desk);
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
      <Group label="Support" links={support} current={path} />
      <Group label="Operator" links={operator} current={path} />
      <Group label="Recent accounts" links={recent} current={path} />
      <div className="mt-auto pt-6">
        <SearchButton onClick={undefined} className={cn(linkClass, 'w-full')} />
        <SideLink link={documentation} isCurrent={false} />
        <DeskMenu desk={desk} />
        <p className="px-2 pt-1.5 text-micro text-ink-3">Version {version}</p>
      </div>
    </div>
  );
}

type GroupProps = { label: string; links: readonly DeskLink[]; current: string };

function Group({ label, links, current }: GroupProps) {
  if (links.length === 0) return null;
  return (
    <nav aria-label={label} className="mt-5">
      <p aria-hidden className="mb-1 px-2 text-micro leading-5 font-medium text-ink-3">
        {label}
      </p>
      <ul className="grid gap-px">
        {links.map((link) => (
          <li key={link.href}>
            <SideLink link={link} isCurrent={link.href === current} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SideLink({ link, isCurrent }: { link: DeskLink; isCurrent: boolean }) {
  const { href, label, icon, waiting, opens } = link;
  const inside = (
    <>
      {icon}
      <span className="min-w-0 truncate">{label}</span>
      {waiting !== null && (
        <span className="ml-auto pr-1 text-small font-normal text-ink-3 tabular-nums">
          {waiting}
          <span className="sr-only"> waiting</span>
        </span>
      )}
      {opens === 'tab' && (
        <>
          <ArrowUpRight aria-hidden className="icon-14 ml-auto text-ink-3" />
          <span className="sr-only">, opens in a new tab</span>
        </>
      )}
    </>
  );
  if (opens === 'page') {
    return (
      <PageLink href={href} aria-current={isCurrent ? 'page' : undefined} className={linkClass}>
        {inside}
      </PageLink>
    );
  }
  return (
    <a
      href={href}
      {...(opens === 'frame' && { title: label })}
      {...(opens === 'tab' && { target: '_blank', rel: 'noreferrer' })}
      className={linkClass}
    >
      {inside}
    </a>
  );
}

const linkClass = cn(
  'flex h-8 items-center gap-2.5 rounded-3 px-2 text-ink-2 no-underline hover:bg-fill-hover pointer-coarse:h-11',
  '[&>svg:first-child]:mx-1 [&>svg:first-child]:shrink-0 [&>svg:first-child]:text-ink-3',
  'current:bg-fill-active current:font-medium current:text-ink current:[&>svg:first-child]:text-accent',
);

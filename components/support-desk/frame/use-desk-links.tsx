import { Activity, BookOpen, Building2, MessageSquareText, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  accountPath,
  accountsPath,
  deskRequestsPath,
  firstPage,
  statusPath,
  supportDeskPath,
} from '#lib/paths/account-path.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { deskRequestsQuery } from '#lib/queries/requests.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';

export type DeskLink = {
  href: string;
  label: string;
  icon: ReactNode;
  /** How many items on that page wait for someone; null if none does. */
  waiting: string | null;
  /** `page`: of the desk. `frame`: by a full page load, as it has a frame of its own. */
  opens: 'page' | 'frame' | 'tab';
};

type DeskLinks = {
  support: DeskLink[];
  operator: DeskLink[];
  recent: DeskLink[];
  documentation: DeskLink;
};

/** Where the desk leads: the sidebar and, on narrow screens, the person's menu. */
export function useDeskLinks(desk: SupportDesk): DeskLinks {
  const waiting = useWaitingRequests(desk.person.id);
  const plain = { waiting: null, opens: 'frame' } as const;
  return {
    support: [
      {
        href: supportDeskPath,
        label: 'Support desk',
        icon: <Search />,
        waiting: null,
        opens: 'page',
      },
      {
        href: deskRequestsPath,
        label: 'My requests',
        icon: <MessageSquareText />,
        waiting,
        opens: 'page',
      },
      ...(desk.is_installation_support
        ? [{ ...plain, href: accountsPath, label: 'Choose an account', icon: <Building2 /> }]
        : []),
    ],
    operator: desk.is_installation_support
      ? [{ href: statusPath, label: 'Status', icon: <Activity />, waiting: null, opens: 'page' }]
      : [],
    recent: desk.recent_accounts.map(({ id, name }) => ({
      ...plain,
      href: accountPath(id, firstPage),
      label: name,
      icon: <Building2 />,
    })),
    documentation: {
      href: '/docs',
      label: 'Documentation',
      icon: <BookOpen />,
      waiting: null,
      opens: 'tab',
    },
  };
}

/** How many of the person's requests wait, as text; null if none does. */
function useWaitingRequests(personId: string): string | null {
  const { data } = useInfiniteQuery({
    ...deskRequestsQuery(personId, 'open'),
    refetchInterval: pageRefetchInterval,
  });
  const [newest] = data?.pages ?? [];
  if (!newest || newest.data.length === 0) return null;
  return `${newest.data.length}${newest.next_cursor === null ? '' : '+'}`;
}

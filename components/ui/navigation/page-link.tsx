'use client';

import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from 'react';
import { useFullPath } from './base-path.ts';
import { type NavigationExtent, useNavigation } from './navigation.tsx';

export type PageLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path as `useFullPath` takes it. */
  href: string;
  /** `tab`: it leads to a tab of the page that it is on. */
  extent?: NavigationExtent;
};

/** How long the pointer or the focus rests on a link before the linked page's data is read. */
const restMs = 60;

/**
 * Links to another page of the dashboard; use it for all such links. From the press until the page
 * is shown it has `data-pressed`. While the pointer or the focus rests on it, the browser reads the
 * page's data.
 *
 * It is not Next's `Link`, which would make each page heavier. Beyond what this does, `Link` only
 * prefetches, and Next 16.4 shows an empty page instead of the skeleton, or one without a title, if
 * a link is followed while its prefetch is running (vercel/next.js#98684).
 */
export function PageLink({ href, extent = 'page', children, ...props }: PageLinkProps) {
  const path = useFullPath()(href);
  const { goTo, warmUp } = useNavigation();
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);

  function beginRest() {
    clearTimeout(rest.current);
    rest.current = setTimeout(() => warmUp(path), restMs);
  }

  const endRest = () => clearTimeout(rest.current);

  return (
    <a
      {...props}
      href={path}
      data-pressed={useIsPressed(href) || undefined}
      onPointerEnter={(event) => {
        props.onPointerEnter?.(event);
        beginRest();
      }}
      onPointerLeave={(event) => {
        props.onPointerLeave?.(event);
        endRest();
      }}
      onFocus={(event) => {
        props.onFocus?.(event);
        beginRest();
      }}
      onBlur={(event) => {
        props.onBlur?.(event);
        endRest();
      }}
      onClick={(event) => {
        props.onClick?.(event);
        if (event.defaultPrevented || opensElsewhere(event)) return;
        event.preventDefault();
        endRest();
        goTo(path, 'push', extent);
      }}
    >
      {children}
    </a>
  );
}

/** Whether a press of a link opens another tab or window, or downloads the target. */
export function opensElsewhere(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return hasModifier || (target !== '' && target !== '_self');
}

/** Whether a link to this page was pressed and the page is not shown yet. */
export function useIsPressed(href: string): boolean {
  const path = useFullPath()(href);
  const { subscribe } = useNavigation();
  const [isPressed, setIsPressed] = useState(false);
  // Not `usePendingNavigation`, with which a press would render each of the hundreds of links in a
  // list.
  useEffect(
    () =>
      subscribe({
        onPress: (navigation) => setIsPressed(navigation.path === path),
        onShown: () => setIsPressed(false),
      }),
    [subscribe, path],
  );
  return isPressed;
}

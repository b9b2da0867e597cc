'use client';

// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { usePathname } from 'next/navigation';
import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';

/**
 * Links to the chapter of the documentation about the page, or about the page that is being opened.
 * The server looks it up, so that no page loads the table. In a new tab, so that nobody loses what
 * they typed.
 */
export function ChapterLink() {
  const pathname = usePathname();
  const path = usePendingNavigation()?.path ?? pathname;
  return (
    /^\/(a\/[^/]+\/settings|support)\b/.test(path) && (
      <a
        href={`/docs/about?page=${encodeURIComponent(path)}`}
        target="_blank"
        rel="noreferrer"
        className="link whitespace-nowrap print:hidden"
      >
        Learn more<span className="sr-only"> in the documentation, opens in a new tab</span>
      </a>
    )
  );
}

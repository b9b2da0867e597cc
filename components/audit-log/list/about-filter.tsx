import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';

import type { AuditView } from '../audit-view.ts';
import { targetPath } from '../target-path.ts';

type AboutFilterProps = { view: AuditView; entries: readonly AuditEntry[] };

/**
 * Says whose entries are listed when a filter names a target or actor, with a link back to its
 * page.
 */
export function AboutFilter({ view, entries }: AboutFilterProps) {
  const target = entries.find((entry) => entry.target.id === view.target)?.target;
  const actor = entries.find((entry) => entry.actor.id === view.actor)?.actor;
  if (target === undefined && actor === undefined) return null;
  return (
    <p className="flex flex-wrap gap-x-4 text-small text-ink-2">
      {target && <Filtered words="Entries about" thing={target} />}
      {actor && <Filtered words="Entries by" thing={actor} />}
    </p>
  );
}

type FilteredProps = { words: string; thing: { kind: string; id: string | null; name: string } };

function Filtered({ words, thing }: FilteredProps) {
  const path = targetPath(thing);
  return (
    <span className="wrap-anywhere">
      {words} {path === null ? thing.name : <PageLink href={path}>{thing.name}</PageLink>}
    </span>
  );
}

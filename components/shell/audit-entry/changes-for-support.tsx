import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { mayAct, type Role } from '#lib/contract/rights/roles.ts';
import type { ChangesOf } from '#lib/queries/audit-log.ts';

type ChangesForSupportProps = { role: Role; accountId: string; of: ChangesOf };

/**
 * The changes of a key or webhook for people who look after it and may not read the audit log. For
 * others, its menu has a link to its entries there.
 */
export function ChangesForSupport({ role, ...props }: ChangesForSupportProps) {
  const isShown = mayAct(role, 'changes.read') && !mayAct(role, 'audit-log.read');
  return isShown && <LazyChanges shouldLoad {...props} />;
}

const LazyChanges = lazyComponent(async () => (await import('./changes.tsx')).Changes);

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { mayAct, type Role } from '#lib/contract/rights/roles.ts';
import type { ChangesOf } from '#lib/queries/audit-log.ts';

type ChangesForSupportProps = { role: Role; accountId: string; of: ChangesOf };

/** The changes of a key or webhook, for people who handle it but may not read the audit log. */
export function ChangesForSupport({ role, ...props }: ChangesForSupportProps) {
  const isShown = mayAct(role, 'changes.read') && !mayAct(role, 'audit-log.read');
  return isShown && <LazyChanges shouldLoad {...props} />;
}

const LazyChanges = lazyComponent(async () => (await import('./changes.tsx')).Changes);

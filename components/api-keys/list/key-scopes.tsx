import { TagList } from '#components/ui/data-display/tag.tsx';
import { allScopes, type Scope } from '#lib/contract/api-keys/scopes.ts';

import { grantedScopes } from '../granted-scopes.ts';

/** A key's scopes in the table, without those that another one includes. */
export function KeyScopes({ scopes }: { scopes: readonly Scope[] }) {
  if (scopes.length === allScopes.length) return <span className="text-ink-2">All scopes</span>;
  return <TagList values={grantedScopes(scopes).map(({ scope }) => scope)} />;
}

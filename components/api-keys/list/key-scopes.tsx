import { TagList } from '#components/ui/data-display/tag.tsx';
import { allScopes, type Scope, scopeTable } from '#lib/contract/api-keys/scopes.ts';

/** A key's scopes in the table, without those that another one implies. */
export function KeyScopes({ scopes }: { scopes: readonly Scope[] }) {
  if (scopes.length === allScopes.length) return <span className="text-ink-2">All scopes</span>;
  return <TagList values={withoutImplied(scopes)} />;
}

function withoutImplied(scopes: readonly Scope[]): Scope[] {
  const implied = new Set<string>(scopes.flatMap((scope) => scopeTable[scope].implies));
  return scopes.filter((scope) => !implied.has(scope));
}

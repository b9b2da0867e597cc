import { type Scope, scopeTable } from '#lib/contract/api-keys/scopes.ts';

export type GrantedScope = { scope: Scope; includes: readonly Scope[] };

/** The scopes that no other one includes, each with the scopes that it includes. */
export function grantedScopes(scopes: readonly Scope[]): GrantedScope[] {
  const included = new Set<string>(scopes.flatMap((scope) => scopeTable[scope].implies));
  return scopes
    .filter((scope) => !included.has(scope))
    .map((scope) => ({ scope, includes: scopeTable[scope].implies }));
}

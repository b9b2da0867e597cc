import { allScopes, scopeTable } from './scopes.ts';
import type { Scope } from './scopes.ts';

/** The four types of API key (specification, Authentication 4). A key's type never changes. */
export const keyTypes = ['full', 'limited', 'webhook', 'bot'] as const;

export type KeyType = (typeof keyTypes)[number];

/** The scopes a key of this type may hold, in table order. */
export function scopesOfType(type: KeyType): Scope[] {
  if (type === 'webhook' || type === 'bot') {
    return allScopes.filter((scope) => scopeTable[scope].family === type);
  }
  return [...allScopes];
}

/**
 * What is wrong with granting these scopes to a key of this type, one sentence for each problem.
 * Without scopes, a key gets all scopes of its type, but a limited key must name its own.
 */
export function scopeProblems(type: KeyType, scopes: readonly Scope[] | null): string[] {
  if (scopes === null) {
    return type === 'limited' ? ['A limited key needs at least one scope.'] : [];
  }
  const allowed = scopesOfType(type);
  return scopes
    .filter((scope) => !allowed.includes(scope))
    .map((scope) => `A ${type} key cannot hold ${scope}. It can hold: ${allowed.join(', ')}.`);
}

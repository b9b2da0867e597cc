/** The names of resources by kind. Each has a value for every parameter that names it in a path. */
export type KnownNames = Map<string, Record<string, string>[]>;

/** How many names of a kind are kept, most of which still exist. */
const maxNames = 12;

export function rememberNames(
  names: KnownNames,
  kind: string,
  values: Record<string, string>,
): void {
  names.set(kind, [values, ...(names.get(kind) ?? [])].slice(0, maxNames));
}

/** The kind of resource that an operation needs to succeed. */
export function kindOfResource({ route, path }: { route: string | null; path: string }): string {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return inTheRightState.get(route ?? '') ?? parameters.join();
}

/** Operations that need a resource in a certain state. */
const inTheRightState = new Map([
  ['endPreviousToken', 'rotated key'],
  ['endToken', 'rotated key'],
  ['rotateOnRequest', 'request to the caller'],
  ['declineRotationRequest', 'request to decline'],
  ['confirmToken', 'token to confirm'],
  ['replaceUnconfirmedToken', 'token to replace'],
  ['undoRotation', 'rotation to undo'],
  ['confirmSecret', 'secret to confirm'],
]);

/**
 * Whether an action's arguments have at most `maxUnits` UTF-16 code units. All values and property
 * names count, and each value counts as one more. Counting stops at the limit, so that it also ends
 * for circular arguments, which a client can send.
 */
export function isSmallInput(input: unknown, maxUnits: number): boolean {
  const waiting = [input];
  let units = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    units += 1;
    if (typeof value === 'string') units += value.length;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) units += name.length;
        waiting.push(inner);
      }
    }
    if (units + waiting.length > maxUnits) return false;
  }
  return true;
}

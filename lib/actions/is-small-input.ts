/**
 * Whether what an action was called with has at most `mostUnits` UTF-16 code units, its values and
 * names counted together, each value as one more. Stops counting there, also where it goes round in
 * a circle, which a call from a client may.
 */
export function isSmallInput(input: unknown, mostUnits: number): boolean {
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
    if (units + waiting.length > mostUnits) return false;
  }
  return true;
}

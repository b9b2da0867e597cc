/**
 * The longest text of a statement that a connection keeps prepared. Longer statements write many
 * rows or have many ids, and are seldom repeated.
 */
export const maxPreparedTextLength = 12_000;

/** The texts of the statements that `preparedOnce` built. */
const texts = new Set<string>();

export function addPreparedText(text: string): void {
  texts.add(text);
}

export function isPreparedText(text: string): boolean {
  return texts.has(text);
}

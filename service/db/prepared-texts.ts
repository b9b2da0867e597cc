/** The texts of the statements that `preparedOnce` built. */
const texts = new Set<string>();

export function addPreparedText(text: string): void {
  texts.add(text);
}

export function isPreparedText(text: string): boolean {
  return texts.has(text);
}

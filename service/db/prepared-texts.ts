/** The texts of the statements that `preparedOnce` built. */
const texts = new Set<string>();

export function notePreparedOnce(text: string): void {
  texts.add(text);
}

export function isPreparedOnce(text: string): boolean {
  return texts.has(text);
}

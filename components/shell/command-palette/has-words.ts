/** Whether a text contains every word of a search, in any case and order. */
export function hasWords(text: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
}

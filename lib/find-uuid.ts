/** The first UUID in a text, in lower case; null if there is none. */
export function findUuid(text: string): string | null {
  return /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(text)?.[0].toLowerCase() ?? null;
}

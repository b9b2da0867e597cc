/**
 * Whether two texts look the same: browsers show several spaces and line breaks as one, a no-break
 * space looks like any other, and some keyboards write in NFD what is stored in NFC.
 */
export function isSameText(one: string, other: string): boolean {
  return asSeen(one) === asSeen(other);
}

function asSeen(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

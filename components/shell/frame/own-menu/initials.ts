/** Two initials for an avatar: "Marlow & Finch" → "MF", "Ida" → "ID". */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const letters = last === '' ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join('').toUpperCase();
}

/** The parts of a key or a webhook that a search covers. */
export type Searched = {
  id: number;
  uuid: string;
  /** The name, and other texts of which a part can be searched for. */
  texts: readonly string[];
  lastFours?: readonly string[];
};

/**
 * Whether every word of a search is found: in a text, as the id, as the uuid or its beginning, or
 * as the end of a token, written `Pcat`, `…Pcat` or `sk_live_…Pcat`.
 */
export function matchesSearch(search: string, searched: Searched): boolean {
  return wordsOf(search).every((word) => matchesWord(word, searched));
}

/** Case does not matter, nor do the quotation marks and commas that are copied with a value. */
function wordsOf(search: string): string[] {
  return fold(search)
    .split(/\s+/)
    .map((word) => word.replace(/^["'`“‘(<[{#]+/, '').replace(/["'`”’)>\]},;/]+$/, ''))
    .filter((word) => word !== '');
}

function matchesWord(word: string, { id, uuid, texts, lastFours = [] }: Searched): boolean {
  return (
    texts.some((text) => fold(text).includes(word)) ||
    word === String(id) ||
    matchesUuid(word, uuid) ||
    lastFours.some((lastFour) => fold(lastFour).includes(endOfToken(word)))
  );
}

/** Fewer characters of a uuid could be a word, a number or the end of a token. */
const fewestUuidCharacters = 8;

/** Matches the uuid, its beginning, or a URL that contains it. */
function matchesUuid(word: string, uuid: string): boolean {
  if (word.includes(uuid)) return true;
  const digits = word.replaceAll('-', '');
  return digits.length >= fewestUuidCharacters && uuid.replaceAll('-', '').startsWith(digits);
}

/** The word without what stands for a token's hidden part: prefix, an ellipsis or asterisks. */
function endOfToken(word: string): string {
  return word.replace(/^(sk_live_)?(…|\.{2,}|\*+|•+)?/, '');
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

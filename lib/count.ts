/** A whole number as people read it: "1,200". */
export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}

/** "1 key", "1,200 keys". @param nouns the plural, if it is not formed with an s */
export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

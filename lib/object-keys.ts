/** The keys of a table, in the order in which they are written. TypeScript only says `string[]`. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]];
}

/** Whether a text from outside, such as a query parameter, is a key of the table. */
export function isKeyOf<Key extends string>(
  table: Readonly<Record<Key, unknown>>,
  text: string,
): text is Key {
  return Object.hasOwn(table, text);
}

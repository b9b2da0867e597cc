/** A search at the desk: the words, and the account that `account:` names; null for all accounts. */
export type SplitSearch = { account: string | null; words: string[] };

/** Splits `account:halden` or `account:"Halden Logistics"` from the words of a search. */
export function splitSearch(search: string): SplitSearch {
  const [filter = '', quoted, word] = accountFilter.exec(search) ?? [];
  const words = search.replace(filter, ' ').split(/\s+/);
  return { account: quoted ?? word ?? null, words: words.filter((each) => each !== '') };
}

const accountFilter = /(?<!\S)account:(?:"([^"]+)"|(\S+))/i;

import { marked, type Token, type Tokens } from 'marked';

/** What a Markdown text consists of. */
export function tokensOf(markdown: string): Token[] {
  return marked.lexer(markdown);
}

export type DocHeading = { id: string; text: string; depth: number };

/** The headings of a text, with the ids to which links on GitHub lead as well. */
export function headingsOf(tokens: readonly Token[]): DocHeading[] {
  const taken = new Map<string, number>();
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ tokens: inside, depth }) => {
      const text = plainText(inside);
      const slug = text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      const count = taken.get(slug) ?? 0;
      taken.set(slug, count + 1);
      return { id: count === 0 ? slug : `${slug}-${count}`, text, depth };
    });
}

/** The text of tokens, without any formatting. */
export function plainText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows]
          .flat()
          .map(({ tokens: cell }) => plainText(cell))
          .join(' ');
      }
      if (token.type === 'list') {
        return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
      }
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      if (token.type === 'html' || token.type === 'space') return ' ';
      return 'text' in token ? String(token.text) : '';
    })
    .join('');
}

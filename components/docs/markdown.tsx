import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { headingsOf, plainText, tokensOf } from '#lib/docs/markdown-tokens.ts';
import { CodeSample } from './code-sample.tsx';

/**
 * A Markdown text of our own as elements. HTML in it is not rendered, except the pictures of the
 * guides, so that no text can add elements to a page.
 */
export function Markdown({ text }: { text: string }) {
  const tokens = tokensOf(text);
  const ids = headingsOf(tokens).values();
  return tokens.map((token, index) => {
    const id = token.type === 'heading' ? ids.next().value?.id : undefined;
    return <Block key={index} token={token} id={id} />;
  });
}

/** A Markdown text of one paragraph, such as a description. */
export function InlineMarkdown({ text }: { text: string }) {
  return tokensOf(text).map((token, index) => <Inline key={index} tokens={tokensIn(token)} />);
}

function Block({ token, id }: { token: Token; id: string | undefined }): ReactNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      if (depth === 1) return null;
      return depth === 2 ? (
        <h2 id={id} className="mt-9 scroll-mt-20 text-heading wrap-anywhere">
          <Inline tokens={tokens} />
        </h2>
      ) : (
        <h3 id={id} className="mt-6 scroll-mt-20 font-semibold wrap-anywhere">
          <Inline tokens={tokens} />
        </h3>
      );
    }
    case 'paragraph':
      return (
        <p className="mt-3 leading-5.5 text-pretty text-ink-2">
          <Inline tokens={tokensIn(token)} />
        </p>
      );
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'table':
      return <MarkdownTable table={token as Tokens.Table} />;
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code;
      return (
        <div className="mt-4">
          <CodeSample code={text} language={lang} />
        </div>
      );
    }
    case 'blockquote':
      return (
        <blockquote className="mt-3 border-l-2 border-line-strong pl-4">
          {tokensIn(token).map((one, index) => (
            <Block key={index} token={one} id={undefined} />
          ))}
        </blockquote>
      );
    case 'html':
      return <Picture html={(token as Tokens.HTML).text} />;
    case 'text':
      return <Inline tokens={tokensIn(token)} />;
    default:
      return null;
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} className="mt-1.5 pl-1 leading-5.5">
      {item.tokens.map((token, place) => (
        <Block key={place} token={token} id={undefined} />
      ))}
    </li>
  ));
  const className = 'mt-3 pl-5 text-ink-2 marker:text-ink-3';
  return list.ordered ? (
    <ol start={list.start || 1} style={{ listStyleType: 'decimal' }} className={className}>
      {items}
    </ol>
  ) : (
    <ul style={{ listStyleType: 'disc' }} className={className}>
      {items}
    </ul>
  );
}

/**
 * A table. On a phone its cells are below one another, with the name of their column. As browsers
 * then drop the semantics of a table, every part has its role as an attribute.
 */
function MarkdownTable({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <table role="table" className="mt-4 w-full border-collapse text-small max-sm:block">
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row">
          {header.map(({ tokens }, column) => (
            <th
              key={column}
              scope="col"
              role="columnheader"
              className="h-9 border-b border-line pr-4 text-left text-micro font-medium text-ink-3"
            >
              <Inline tokens={tokens} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:block">
        {rows.map((cells, row) => (
          <tr
            key={row}
            role="row"
            className="max-sm:block max-sm:border-b max-sm:border-line max-sm:py-2"
          >
            {cells.map(({ tokens }, column) => (
              <td
                key={column}
                role="cell"
                className="min-w-24 py-2 pr-4 align-top text-pretty text-ink-2 sm:first:min-w-44 sm:first:pr-2 max-sm:block max-sm:py-0.5 max-sm:pr-0 sm:border-b sm:border-line"
              >
                {column > 0 && header[column] && (
                  <span aria-hidden className="mr-2 text-micro text-ink-3 sm:hidden">
                    {plainText(header[column].tokens)}
                  </span>
                )}
                <Inline tokens={tokens} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Inline({ tokens }: { tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <InlinePart key={index} token={token} />);
}

function InlinePart({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong className="font-medium text-ink">
          <Inline tokens={tokensIn(token)} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={tokensIn(token)} />
        </em>
      );
    case 'codespan':
      return <Code className="wrap-anywhere text-ink">{(token as Tokens.Codespan).text}</Code>;
    case 'link':
      return <DocLink link={token as Tokens.Link} />;
    case 'br':
      return <br />;
    case 'html':
      return null;
    default: {
      const inside = tokensIn(token);
      if (inside.length > 0) return <Inline tokens={inside} />;
      return <Fragment>{'text' in token ? String(token.text) : null}</Fragment>;
    }
  }
}

function DocLink({ link: { href, tokens } }: { link: Tokens.Link }) {
  if (href.startsWith('/docs')) {
    return (
      <PageLink href={href} className="link">
        <Inline tokens={tokens} />
      </PageLink>
    );
  }
  return (
    <a href={href} rel="noreferrer" className="link">
      <Inline tokens={tokens} />
    </a>
  );
}

/**
 * The picture in a piece of HTML, in the theme of the page. A picture that is not displayed is not
 * loaded either, because it is lazy.
 */
function Picture({ html }: { html: string }) {
  const [, dark] = /srcset="([^"]+)"/.exec(html) ?? [];
  const [, alt] = /alt="([^"]*)"/.exec(html) ?? [];
  const [, light] = / src="([^"]+)"/.exec(html) ?? [];
  if (dark === undefined || alt === undefined || light === undefined) return null;
  const image = { loading: 'lazy', className: 'w-full rounded-3 border border-line' } as const;
  return (
    <div className="mt-5 print:hidden">
      <picture className="dark-theme:hidden">
        <img src={light} alt={alt} {...image} />
      </picture>
      <picture className="hidden dark-theme:block">
        <img src={dark} alt={alt} {...image} />
      </picture>
    </div>
  );
}

function tokensIn(token: Token): Token[] {
  return 'tokens' in token && token.tokens ? token.tokens : [];
}

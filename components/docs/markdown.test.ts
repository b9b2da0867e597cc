import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

const render = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

test.each([
  '<script>alert(1)</script>',
  'a <img src=x onerror=alert(1)> b',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe src="https://evil.example"></iframe>',
])('HTML in a text adds no element: %s', (html) => {
  expect(render(html)).not.toMatch(/<(script|img|iframe|a)\b|onerror/);
});

test('headings have the ids to which links on GitHub lead', () => {
  expect(render('# Title\n\n## Make calls\n\n### `a.b`: c?\n\n## Make calls')).toMatch(
    /<h2 id="make-calls".*<h3 id="ab-c".*<h2 id="make-calls-1"/,
  );
});

test('tables, lists, code and emphasis are those of Markdown', () => {
  const markup = render('| A |\n|---|\n| `x` |\n\n1. *one*\n2. **two**\n\n```sh\necho <b>\n```');
  expect(markup).toMatch(/<th scope="col"[^>]*>A<\/th>/);
  expect(markup).toContain('<em>one</em>');
  expect(markup).toMatch(/<strong[^>]*>two<\/strong>/);
  expect(markup).toContain('echo &lt;b&gt;');
});

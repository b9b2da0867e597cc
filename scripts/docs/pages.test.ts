import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Token } from 'marked';
import { expect, test } from 'vitest';
import { errorPagePath, errorReasons } from '#lib/contract/error-reasons.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import type { ApiDocument } from '#lib/docs/api-document.ts';
import { chapters } from '#lib/docs/documents.ts';
import { findInDocs } from '#lib/docs/find-in-docs.ts';
import { headingsOf, tokensOf } from '#lib/docs/markdown-tokens.ts';
import { buildSite, searchEntries } from '#lib/docs/site.ts';
import { keysOf } from '#lib/object-keys.ts';
import { chapterPathOf, chapters as chaptersOfDashboard } from '#lib/paths/docs-path.ts';
import { openApiDocument } from '#service/http/openapi/openapi.ts';

const baseUrl = 'https://messages.example.com';
const docs = new URL('../../docs/', import.meta.url);
const { pages, navigation } = await buildSite(
  JSON.parse(JSON.stringify(openApiDocument())) as ApiDocument,
  baseUrl,
);

const anchors = new Map(
  pages.map(({ path, markdown }) => [path, headingsOf(tokensOf(markdown)).map(({ id }) => id)]),
);

/** Paths outside of the pages to which they may link. */
const others = ['/llms.txt', '/api/v1/openapi.json'];

test.each(pages.map((page) => [page.path, page] as const))(
  'every link of %s leads to a page, and to a heading of it',
  (path, { markdown }) => {
    const links = allTokens(tokensOf(markdown)).flatMap((token) =>
      token.type === 'link' ? [String(token['href'])] : [],
    );
    const lost = links.filter((href) => {
      if (/^https?:/.test(href) && !href.startsWith(baseUrl)) return false;
      const [target = '', anchor] = href.replace(baseUrl, '').split('#');
      if (others.includes(target)) return false;
      const found = anchors.get(target === '' ? path : target);
      return !found || (anchor !== undefined && !found.includes(anchor));
    });
    expect(lost).toEqual([]);
  },
);

test('every page has an address of its own, and a link in the sidebar', () => {
  const linked = navigation.flatMap(({ links }) =>
    links.flatMap(({ href, links: below = [] }) => [href, ...below.map((one) => one.href)]),
  );
  expect(['/docs', ...linked].toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
  expect(new Set(linked).size).toBe(linked.length);
});

test('the first page begins with a call, and says in one sentence what each page is about', () => {
  const { overview, markdown = '' } = pages.find(({ path }) => path === '/docs') ?? {};
  expect(overview?.start).toContain(`curl ${baseUrl}/api/v1/api-key `);
  const [, ...chaptersBelow] = markdown.split(/^## /m);
  expect(chaptersBelow.map((text) => text.split('\n')[0])).toEqual([
    'Quick start',
    ...navigation.map(({ label }) => label),
  ]);
  for (const { links } of navigation) {
    for (const { href, title } of links) {
      const [, summary] = markdown.split(`- [${title}](${href}): `);
      expect(summary?.split('\n')[0], href).toMatch(/^[A-Z0-9`].{10,210}\.$/);
    }
  }
});

test('every operation has a page with samples in three languages', () => {
  const operations = pages.flatMap(({ operation }) => (operation ? [operation] : []));
  expect(operations.map(({ name }) => name).toSorted()).toEqual(
    publicRoutes.map(({ name }) => name).toSorted(),
  );
  for (const { samples, path } of operations) {
    for (const sample of Object.values(samples)) expect(sample).toContain(baseUrl);
    expect(samples.ts).toContain(`'${path}'`);
  }
});

test.each(keysOf(errorReasons))('the address that `doc_url` has for %s is a page', (reason) => {
  const page = pages.find(({ path }) => path === errorPagePath(reason));
  expect(page?.title).toBe(errorReasons[reason].title);
});

test.each(chapters.map(({ label, files }) => [label, files] as const))(
  'every Markdown file beside those of %s is a page',
  (_label, files) => {
    const folders = new Set(files.map((file) => file.split('/').slice(0, -1).join('/')));
    const present = [...folders]
      .filter((folder) => folder !== '')
      .flatMap((folder) => readdirSync(new URL(folder, docs)).map((name) => `${folder}/${name}`));
    const missing = present.filter((file) => file.endsWith('.md') && !isListed(file));
    expect(missing).toEqual([]);
  },
);

test('the guides name the address of the reader in place of the local one', () => {
  const guide = pages.find(({ path }) => path === '/docs/guides/api-clients');
  expect(guide?.markdown).toContain(`curl -s ${baseUrl}/api/v1/webhooks`);
  expect(guide?.markdown).not.toContain('localhost');
});

test('the HTML in the pages is only that of pictures, which exist', () => {
  const pictures = new Set(readdirSync(fileURLToPath(new URL('pictures', docs))));
  const html = pages.flatMap(({ markdown }) =>
    allTokens(tokensOf(markdown)).filter(({ type }) => type === 'html'),
  );
  for (const { raw } of html) expect(raw.trimStart()).toMatch(/^<picture>/);
  const shown = html.flatMap(({ raw }) =>
    Array.from(raw.matchAll(/"\/docs\/pictures\/([^"]+)"/g), ([, name = '']) => name),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((name) => !pictures.has(name))).toEqual([]);
});

test.each([
  ['rotate key', '/docs/reference/api-keys/rotate-api-key'],
  ['paging', '/docs/reference/paging'],
  ['webhook-signature', '/docs/guides/webhook-receivers'],
  ['lacks a scope', '/docs/errors/scope'],
  ['nothing has these words xyzzy', undefined],
])('the search for %j finds %s', (search, path) => {
  const found = findInDocs(searchEntries(pages), search).map(({ href }) => href.split('#')[0]);
  if (path === undefined) expect(found).toEqual([]);
  else expect(found.slice(0, 5)).toContain(path);
  const operations = found.filter((href) =>
    pages.some((page) => page.path === href && page.operation),
  );
  expect(operations, 'once each').toEqual([...new Set(operations)]);
});

test.each([...chaptersOfDashboard])(
  'the page %s of the dashboard links to a chapter that exists: %s',
  (page) => {
    const below = page.replace('*', '7f');
    const path = /^support(\/|$)/.test(page) ? `/${below}` : `/a/1/settings/${below}`;
    const [chapter = '', anchor] = chapterPathOf(`${path}?q=x`).split('#');
    expect(anchors.get(chapter)).toEqual(
      anchor === undefined ? expect.any(Array) : expect.arrayContaining([anchor]),
    );
  },
);

test('every page of the settings and of the support desk has a chapter, and no other path has one', () => {
  const app = fileURLToPath(new URL('../../app/', import.meta.url));
  const files = globSync(['a/*/settings/*/**/page.tsx', 'support/**/page.tsx'], { cwd: app });
  const paths = files.map((file) =>
    file
      .replace(/^a\/[^/]+\/settings\//, '')
      .replace(/\/page\.tsx$/, '')
      .replace(/\/\([^)]+\)/, '')
      .replace(/\[[^\]]+\]/, '*'),
  );
  expect([...chaptersOfDashboard.keys()].toSorted()).toEqual(paths.toSorted());
  for (const other of ['/a/1/settings/nowhere', '/docs/guides/admin', 'constructor', '']) {
    expect(chapterPathOf(other)).toBe('/docs');
  }
});

test('what the documentation adds to the archive is in it', () => {
  const bundle = readFileSync(new URL('../bundle.ts', import.meta.url), 'utf8');
  expect(bundle).toContain("'docs',");
});

function isListed(file: string): boolean {
  return chapters.some(({ files }) => files.some((one) => one === file));
}

/** All tokens, those in other tokens too. */
function allTokens(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => {
    const {
      tokens: inside = [],
      items = [],
      header = [],
      rows = [],
    } = token as {
      tokens?: Token[];
      items?: Token[];
      header?: { tokens: Token[] }[];
      rows?: { tokens: Token[] }[][];
    };
    const cells = [header, ...rows].flat().flatMap((cell) => cell.tokens);
    return [token, ...allTokens([...inside, ...items, ...cells])];
  });
}

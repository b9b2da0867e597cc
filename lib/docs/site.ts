import 'server-only';
import { cache } from 'react';
import { errorTable } from '../contract/error-codes.ts';
import { errorPagePath, errorReasons } from '../contract/error-reasons.ts';
import { keysOf } from '../object-keys.ts';
import { publicUrl } from '../paths/public-url.ts';
import { type ApiDocument, readApiDocument } from './api-document.ts';
import { chapters, pathOfFile, readDocument } from './documents.ts';
import { headingsOf, plainText, tokensOf } from './markdown-tokens.ts';
import { operationMarkdown } from './operation-markdown.ts';
import { type OperationPage, fieldsOf, operationPages } from './operation-page.ts';
import { sampleOf, tokenVariable } from './samples.ts';

/** A page of the documentation. */
export type DocPage = {
  path: string;
  title: string;
  /** The chapter, which is written above the title. */
  chapter: string;
  /** The whole page, with its title. */
  markdown: string;
  /** For the page of an operation, which is laid out in its own way. */
  operation?: OperationPage;
  /** For the first page: the Markdown above the chapters, and the pages of each of them. */
  overview?: { start: string; chapters: readonly Chapter[] };
};

type Chapter = { label: string; pages: readonly DocPage[] };

export type NavigationLink = { href: string; title: string; links?: readonly NavigationLink[] };
export type NavigationGroup = { label: string; links: readonly NavigationLink[] };

type Site = { pages: DocPage[]; navigation: NavigationGroup[] };

/** All pages, and the links in the sidebar. Read once for each request. */
export const readSite: () => Promise<Site> = cache(
  async () => await buildSite(await readApiDocument(), publicUrl()),
);

/** @param baseUrl where readers reach the API, without a slash at the end */
export async function buildSite(document: ApiDocument, baseUrl: string): Promise<Site> {
  const ofChapters = await Promise.all(
    chapters.map(async ({ label, files }) => ({
      label,
      pages: await Promise.all(
        files.map(async (file) => {
          const markdown = await readDocument(file, baseUrl);
          return { path: pathOfFile(file), title: titleOf(markdown), chapter: label, markdown };
        }),
      ),
    })),
  );
  const [guides, ...others] = ofChapters;
  const operations = operationPages(document, baseUrl);
  const basics = basicPages(document);
  const groups = document.tags.map(({ name, description }) =>
    groupOf(
      name,
      description,
      operations.filter(({ group }) => group === name),
    ),
  );
  const events = eventsPage(document);
  const errors = errorPages();
  const below = new Map<DocPage, readonly DocPage[]>([
    ...groups.map(({ page, children }) => [page, children] as const),
    [errors.index, errors.reasons],
  ]);
  const reference = {
    label: 'Reference',
    pages: [...basics, ...groups.map(({ page }) => page), events, errors.index],
  };
  const all = [...(guides ? [guides] : []), reference, ...others];
  const linkTo = (page: DocPage): NavigationLink => {
    const links = below.get(page)?.map(linkTo);
    return { href: page.path, title: page.title, ...(links && { links }) };
  };
  return {
    pages: [
      overviewPage(all, baseUrl),
      ...all.flatMap(({ pages }) => pages.flatMap((page) => [page, ...(below.get(page) ?? [])])),
    ],
    navigation: all.map(({ label, pages }) => ({ label, links: pages.map(linkTo) })),
  };
}

/** The first page: a first call, and every chapter with what its pages are about. */
function overviewPage(inChapters: readonly Chapter[], baseUrl: string): DocPage {
  // A test runs this sample of the operation.
  const curl = sampleOf('sh', { method: 'GET', path: '/api/v1/api-key' }, baseUrl);
  const start = `The API of this installation is at \`${baseUrl}/api/v1\`. Every page is Markdown too: add \`.md\` to its address. [llms.txt](/llms.txt) lists them, and [openapi.json](/api/v1/openapi.json) describes the API for programs.

## Quick start

1. [Create a key](/docs/guides/admin#create-a-key) in the dashboard, and save its token as \`${tokenVariable}\`.
2. Make a call. The response describes the key:

   \`\`\`sh
   ${curl.replaceAll('\n', '\n   ')}
   \`\`\`

3. [Create a webhook](/docs/guides/webhook-receivers#create-a-webhook) to receive events on your server, or read [Call the API](/docs/guides/api-clients).
`;
  const lists = inChapters.map(({ label, pages }) => {
    const items = pages.map((page) => `- [${page.title}](${page.path}): ${summaryOf(page)}`);
    return `## ${label}\n\n${items.join('\n')}\n`;
  });
  return {
    path: '/docs',
    title: 'Documentation',
    chapter: 'Conversation Service',
    markdown: ['# Documentation\n', start, ...lists].join('\n'),
    overview: { start, chapters: inChapters },
  };
}

/** What a page is about: its first sentence, as Markdown. */
export function summaryOf({ markdown }: DocPage): string {
  const [, text = ''] = markdown.split(/\n{2,}/);
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? '';
}

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? '';

const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The sections of the introduction of the OpenAPI document, each as a page. */
function basicPages({ info }: ApiDocument): DocPage[] {
  const [, ...sections] = info.description.split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...rest] = section.split('\n');
    const markdown = `# ${title}\n${rest.join('\n').replaceAll(/^### /gm, '## ')}`;
    return { path: `/docs/reference/${slugOf(title)}`, title, chapter: 'Reference', markdown };
  });
}

function groupOf(name: string, description: string, operations: OperationPage[]) {
  const path = `/docs/reference/${slugOf(name)}`;
  const children = operations.map((operation) => ({
    path: `${path}/${slugOf(operation.name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`))}`,
    title: operation.title,
    chapter: name,
    markdown: operationMarkdown(operation),
    operation,
  }));
  const rows = children.map(
    (child) =>
      `| [${child.title}](${child.path}) | \`${child.operation.method} ${child.operation.path}\` |`,
  );
  const table = ['| Operation | Call |', '|---|---|', ...rows].join('\n');
  // The sections of the introduction, which it names in quotes, are pages here.
  const about = description
    .replaceAll(/"([^"]+)"/g, (_, title: string) => `[${title}](/docs/reference/${slugOf(title)})`)
    .replace(' in the introduction', '');
  const markdown = `# ${name}\n\n${about}\n\n${table}\n`;
  return { page: { path, title: name, chapter: 'Reference', markdown }, children };
}

/** What webhooks send, by event type. */
function eventsPage(document: ApiDocument): DocPage {
  const types = Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema, example } = post.requestBody?.content['application/json'] ?? {};
    const fields = schema ? fieldsOf(document, schema, { place: null, marksOptional: false }) : [];
    const rows = fields.map((one) => `| \`${one.name}\` | ${one.type} | ${one.description} |`);
    return [
      `## ${type}`,
      post.summary,
      ['| Field | Type | What it is |', '|---|---|---|', ...rows].join('\n'),
      `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ].join('\n\n');
  });
  const how = Object.values(document.webhooks)[0]?.post.description ?? '';
  const markdown = `# Events\n\n${how}\n\n${types.join('\n\n')}\n`;
  return { path: '/docs/reference/events', title: 'Events', chapter: 'Reference', markdown };
}

/** A page for each reason of an error, to which `error.doc_url` leads, and one that lists them. */
function errorPages() {
  const reasons = keysOf(errorReasons).map((reason) => {
    const { code, title, cause, remedy } = errorReasons[reason];
    const markdown = `# ${title}

${cause}

## What you can do

${remedy}

## In the response

The status is ${errorTable[code].status}, \`error.code\` is \`${code}\`, and \`error.reason\` is \`${reason}\`.
`;
    return { path: errorPagePath(reason), title, chapter: 'Errors', markdown };
  });
  const codes = keysOf(errorTable).map((code) => {
    const { status, message } = errorTable[code];
    return `| \`${code}\` | ${status} | ${message} |`;
  });
  const rows = keysOf(errorReasons).map((reason) => {
    const { code, title } = errorReasons[reason];
    return `| \`${reason}\` | \`${code}\` | [${title}](${errorPagePath(reason)}) |`;
  });
  const markdown = `# Error reasons

Every 403, 422 and 429 has a \`reason\`, for programs, and a \`doc_url\`, which leads to the page of the reason.

| Reason | Code | What happened |
|---|---|---|
${rows.join('\n')}

## Codes

| Code | Status | Message |
|---|---|---|
${codes.join('\n')}
`;
  return {
    index: { path: '/docs/errors', title: 'Error reasons', chapter: 'Reference', markdown },
    reasons,
  };
}

/** What the search of the documentation finds. */
export type SearchEntry = {
  href: string;
  title: string;
  /** The page, for a section of it, or else the chapter. */
  place: string;
  /** Every word of the section, once, in lower case. */
  words: string;
};

/** An entry for each page, and for each section of a page that is not an operation. */
export function searchEntries(pages: readonly DocPage[]): SearchEntry[] {
  return pages.flatMap(({ path, title, chapter, markdown, operation }) => {
    const tokens = tokensOf(markdown);
    const headings = headingsOf(tokens).values();
    const sections = [{ href: path, title, place: chapter, text: '' }];
    for (const token of tokens) {
      const section = sections.at(-1);
      if (token.type !== 'heading') {
        if (section) section.text += ` ${plainText([token])}`;
        continue;
      }
      const heading = headings.next().value;
      // The sections of all operations have the same names, such as Parameters.
      if (heading && !operation && heading.depth > 1 && heading.depth < 4) {
        sections.push({
          href: `${path}#${heading.id}`,
          title: heading.text,
          place: title,
          text: '',
        });
      }
    }
    return sections.map(({ text, ...entry }) => ({ ...entry, words: wordsOf(text) }));
  });
}

function wordsOf(text: string): string {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.:-]{3,40}/gu) ?? [])].join(' ');
}

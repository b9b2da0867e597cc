import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Guide } from '#components/docs/guide.tsx';
import { Operation } from '#components/docs/operation.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { readSite } from '#lib/docs/site.ts';

type DocsPageProps = { params: Promise<{ path?: string[] }> };

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  const { page } = await findPage(params);
  if (!page) return {};
  return {
    title: page.title,
    alternates: { types: { 'text/markdown': `${page.path}.md` } },
  };
}

/** Any page of the documentation. Everyone can read it without signing in. */
export default async function DocsPage({ params }: DocsPageProps) {
  const { page, pages } = await findPage(params);
  if (!page) notFound();
  const { operation } = page;
  const inChapter = pages.filter(({ chapter }) => chapter === page.chapter);
  const place = inChapter.indexOf(page);
  return (
    <>
      <p className="mb-0.5 text-small text-ink-3">{page.chapter}</p>
      <PageHeading title={page.title} />
      {operation ? (
        <Operation page={operation} tryIt={null} />
      ) : (
        <Guide
          markdown={page.markdown}
          source={`${page.path}.md`}
          before={inChapter[place - 1]}
          next={inChapter[place + 1]}
        />
      )}
    </>
  );
}

async function findPage(params: DocsPageProps['params']) {
  const { path = [] } = await params;
  const { pages } = await readSite();
  const address = ['/docs', ...path].join('/');
  return { pages, page: pages.find((one) => one.path === address) };
}

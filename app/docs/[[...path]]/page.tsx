import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { Guide } from '#components/docs/guide.tsx';
import { Operation } from '#components/docs/operation.tsx';
import { Overview } from '#components/docs/overview.tsx';
import { TryIt } from '#components/docs/try-it.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { OperationPage } from '#lib/docs/operation-page.ts';
import { readSite } from '#lib/docs/site.ts';
import { trialOf, triedOperation } from '#lib/docs/trial.ts';
import { accountPath } from '#lib/paths/account-path.ts';
import { findSession } from '#lib/session/session.ts';

type DocsPageProps = { params: Promise<{ path?: string[] }> };

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  const { page } = await findPage(params);
  if (!page) return {};
  return { alternates: { types: { 'text/markdown': `${page.path}.md` } } };
}

/** Any page of the documentation. Everyone can read it without signing in. */
export default async function DocsPage({ params }: DocsPageProps) {
  const { page, pages } = await findPage(params);
  if (!page) notFound();
  const { operation, overview } = page;
  const inChapter = pages.filter(({ chapter }) => chapter === page.chapter);
  const place = inChapter.indexOf(page);
  return (
    <>
      <PageTitle>{page.title}</PageTitle>
      <p className="mb-0.5 text-small text-ink-3">{page.chapter}</p>
      <PageHeading
        title={page.title}
        actions={
          <a href={`${page.path}.md`} className="link text-small">
            View as Markdown
          </a>
        }
      />
      {overview && <Overview {...overview} />}
      {operation && <Operation page={operation} tryIt={await offerTryIt(operation)} />}
      {!overview && !operation && (
        <Guide markdown={page.markdown} before={inChapter[place - 1]} next={inChapter[place + 1]} />
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

/** What someone who is signed in can do with an operation, in the account of their session. */
async function offerTryIt(page: OperationPage): Promise<ReactNode> {
  const session = await findSessionIfAvailable();
  if (!session) return null;
  const trial = trialOf(page.name);
  if (trial.kind === 'none') {
    return (
      <Note className="print:hidden">
        {trial.why}{' '}
        {trial.page && (
          <a href={accountPath(session.account.id, trial.page.path)} className="link">
            {trial.page.label}
          </a>
        )}
      </Note>
    );
  }
  // Another operation begins without values and without a response.
  return <TryIt key={page.name} operation={triedOperation(page)} session={session} />;
}

/** Null also while the service cannot say who is signed in: the page itself needs nobody. */
async function findSessionIfAvailable(): Promise<Session | null> {
  try {
    return await findSession();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

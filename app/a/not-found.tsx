import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';
import { findWhyClosed } from '#lib/session/session.ts';

/** For accounts that the person cannot open. */
export default async function AccountNotFound() {
  const why = await findWhyClosed();
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
      <NotFoundPage
        back={{ href: '/', label: 'Go to API keys' }}
        why={why === null ? undefined : <ServiceText text={why} />}
      />
    </main>
  );
}

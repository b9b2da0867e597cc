import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';

export default function NotFound() {
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
      <NotFoundPage back={{ href: '/', label: 'Go to API keys' }} />
    </main>
  );
}

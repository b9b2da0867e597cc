import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';

export default function DocsNotFound() {
  return (
    <NotFoundPage
      back={{ href: '/docs', label: 'Go to the documentation' }}
      why="The documentation has no page with this address."
    />
  );
}

import type { Metadata } from 'next';

import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';

export const metadata: Metadata = { title: 'Page not found' };

export default function DashboardNotFound() {
  return <NotFoundPage back={{ href: 'settings/api-keys', label: 'Go to API keys' }} />;
}

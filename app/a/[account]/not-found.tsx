import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';

export default function DashboardNotFound() {
  return <NotFoundPage back={{ href: 'settings/api-keys', label: 'Go to API keys' }} />;
}

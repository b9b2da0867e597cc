import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { ChooseAccount } from '#components/support-desk/accounts/choose-account.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { pagePath } from '#lib/paths/page-path.ts';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { findAccounts, findSession } from '#lib/session/session.ts';
import { signInPath } from '#lib/paths/sign-in-path.ts';
import { serverInfo } from '../server-info.ts';

type AccountsPageProps = { searchParams: Promise<SearchParams> };

export default async function AccountsPage({ searchParams }: AccountsPageProps) {
  const { search } = await searchParams;
  const text = typeof search === 'string' ? search.slice(0, 100) : '';
  const accounts = await findAccounts(text);
  if (!accounts) redirect((await findSession()) ? '/' : signInPath(pagePath(await headers())));
  return (
    <AuthLayout
      {...serverInfo()}
      title="Choose an account"
      sentence="You support every account on this installation."
    >
      <ChooseAccount accounts={accounts} search={text} />
    </AuthLayout>
  );
}

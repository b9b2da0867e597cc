import { redirect } from 'next/navigation';
import { accountPath, firstPage } from '#lib/paths/account-path.ts';

type AccountPageProps = { params: Promise<{ account: string }> };

export default async function AccountPage({ params }: AccountPageProps) {
  redirect(accountPath((await params).account, firstPage));
}

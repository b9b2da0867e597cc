import { redirect } from 'next/navigation';
import { accountPath, firstPage } from '#lib/paths/account-path.ts';

type SettingsPageProps = { params: Promise<{ account: string }> };

export default async function SettingsPage({ params }: SettingsPageProps) {
  redirect(accountPath((await params).account, firstPage));
}

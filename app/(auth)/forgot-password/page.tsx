import { ForgotPassword } from '#components/auth/password-reset/forgot-password.tsx';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { readEmailParam } from '../read-email-param.ts';
import { serverInfo } from '../server-info.ts';

type ForgotPasswordPageProps = { searchParams: Promise<SearchParams> };

export default async function ForgotPasswordPage({ searchParams }: ForgotPasswordPageProps) {
  return <ForgotPassword {...serverInfo()} email={readEmailParam(await searchParams)} />;
}

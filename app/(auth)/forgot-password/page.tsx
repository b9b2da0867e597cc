import { ForgotPassword } from '#components/auth/password-reset/forgot-password.tsx';

import { readGivenEmail } from '../given-email.ts';
import type { SearchParams } from '../given-email.ts';
import { serverInfo } from '../server-info.ts';

export default async function ForgotPasswordPage({ searchParams }: SearchParams) {
  return <ForgotPassword {...serverInfo()} email={await readGivenEmail(searchParams)} />;
}

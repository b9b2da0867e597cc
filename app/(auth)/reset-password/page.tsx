import { ResetPassword } from '#components/auth/reset-password.tsx';

import { serverInfo } from '../server-info.ts';

export default function ResetPasswordPage() {
  return <ResetPassword {...serverInfo()} />;
}

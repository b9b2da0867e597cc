import { ResetPassword } from '#components/auth/password-reset/reset-password.tsx';
import { serverInfo } from '../server-info.ts';

export default function ResetPasswordPage() {
  return <ResetPassword {...serverInfo()} />;
}

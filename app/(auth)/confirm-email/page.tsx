import { ConfirmEmail } from '#components/auth/email-change/confirm-email.tsx';
import { serverInfo } from '../server-info.ts';

export default function ConfirmEmailPage() {
  return <ConfirmEmail {...serverInfo()} />;
}

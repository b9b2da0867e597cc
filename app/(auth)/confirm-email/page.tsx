import { ConfirmEmail } from '#components/auth/confirm-email.tsx';

import { serverInfo } from '../server-info.ts';

export default function ConfirmEmailPage() {
  return <ConfirmEmail {...serverInfo()} />;
}

import { RevokeEmailChange } from '#components/auth/email-change/revoke-email-change.tsx';
import { serverInfo } from '../server-info.ts';

export default function RevokeEmailChangePage() {
  return <RevokeEmailChange {...serverInfo()} />;
}

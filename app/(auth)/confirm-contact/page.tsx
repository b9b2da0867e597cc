import { ConfirmContact } from '#components/auth/confirm-contact.tsx';
import { serverInfo } from '../server-info.ts';

export default function ConfirmContactPage() {
  return <ConfirmContact {...serverInfo()} />;
}

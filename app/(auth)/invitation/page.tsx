import { AcceptInvitation } from '#components/auth/invitation/accept-invitation.tsx';
import { findSession } from '#lib/session/session.ts';
import { fallbackIfUnavailable } from '../fallback-if-unavailable.ts';
import { serverInfo } from '../server-info.ts';

export default async function InvitationPage() {
  const session = await fallbackIfUnavailable(findSession(), null);
  return <AcceptInvitation {...serverInfo()} signedIn={session?.person.email ?? null} />;
}

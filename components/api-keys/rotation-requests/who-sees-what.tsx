import { Eye, EyeOff, Mail, ScrollText, Users } from 'lucide-react';

import { Section } from '#components/shell/page/section.tsx';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type WhoSeesWhatProps = {
  request: RotationRequest;
  /** The person who is signed in. */
  personId: string;
};

/** Who sees the new token or secret and the outcome of a request. */
export function WhoSeesWhat({ request, personId }: WhoSeesWhatProps) {
  const { act, member, requested_by: requester } = request;
  const secret = act === 'rotate' ? 'token' : 'secret';
  const isMember = member.id === personId;
  const asker = requester.id === personId ? 'You' : requester.name;
  const sees = asker === 'You' ? 'You see' : `${asker} sees`;
  return (
    <Section title="Who sees what">
      <ul className="grid gap-2.5 text-small text-ink-2 [&>li]:flex [&>li]:gap-2 [&_svg]:mt-0.5 [&_svg]:shrink-0 [&_svg]:icon-14 [&_svg]:text-ink-3">
        {act !== 'resume' && (
          <li>
            <Eye aria-hidden />
            Only {isMember ? 'you see' : `${member.name} sees`} the new {secret}.
          </li>
        )}
        <li>
          <EyeOff aria-hidden />
          <span>
            {sees} the outcome of the request and its time
            {act === 'resume' ? '.' : `, but never the ${secret}.`}
          </span>
        </li>
        {request.reason === 'leaked' && (
          <li>
            <Users aria-hidden />
            Every member sees the report. Owners and admins got an email.
          </li>
        )}
        <li>
          <Mail aria-hidden />
          <span>{asker === 'You' ? 'You get' : `${asker} gets`} an email with the outcome.</span>
        </li>
        <li>
          <ScrollText aria-hidden />
          The request and its outcome are recorded in the audit log.
        </li>
      </ul>
    </Section>
  );
}

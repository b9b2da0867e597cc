'use client';

import { useQuery } from '@tanstack/react-query';

import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mailPreferenceTable } from '#lib/contract/people/mail-preference-table.ts';

import { MailSwitch } from './mail-switch.tsx';
import { keysOf } from '#lib/object-keys.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

const names = keysOf(mailPreferenceTable);

/** Which emails the person gets, in all of their accounts. The footers of emails link to it. */
export function Notifications({ session }: { session: Session }) {
  const query = routeQuery(session, 'getMailPreferences');
  const { data: preferences, error, ...reading } = useQuery(query);
  return (
    <Section id="notifications" title="Notifications">
      <p className="text-pretty text-ink-2">
        Emails we send to <EmphasizedName>{session.person.email}</EmphasizedName> about all of your
        accounts.
      </p>
      {error && (
        <ReadFailure
          what="Your notification settings"
          shown="them"
          noun="your notifications"
          error={error}
          isShown={preferences !== undefined}
          reading={reading}
        />
      )}
      {preferences && (
        <div className="grid max-w-140 divide-y divide-line border-y border-line">
          {names.map((name) => (
            <MailSwitch key={name} name={name} isOn={preferences[name]} queryKey={query.queryKey} />
          ))}
        </div>
      )}
      <p className="max-w-140 text-small text-pretty text-ink-3">
        You always get emails about your own sign-in, a leaked key, a deleted account, and a key
        that you are asked to rotate.
      </p>
    </Section>
  );
}

'use client';

import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { updateMailPreferences } from '#lib/actions/people/person.ts';
import {
  type MailPreference,
  mailPreferenceTable,
} from '#lib/contract/people/mail-preference-table.ts';
import type { MailPreferences } from '#lib/contract/people/mail-preferences.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { keysOf } from '#lib/object-keys.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

const names = keysOf(mailPreferenceTable);

/** Which emails the person gets, in all of their accounts. The footers of emails link to it. */
export function Notifications({ session }: { session: Session }) {
  const query = routeQuery(session, 'getMailPreferences');
  const read = useQuery(query);
  const { data: preferences } = read;
  return (
    <Section id="notifications" title="Notifications">
      <p className="text-pretty text-ink-2">
        Emails we send to <EmphasizedName>{session.person.email}</EmphasizedName> about all of your
        accounts.
      </p>
      <ReadFailure
        what="Your notification settings"
        shown="them"
        noun="your notifications"
        read={read}
      />
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

type MailSwitchProps = {
  name: MailPreference;
  isOn: boolean;
  queryKey: QueryKey;
};

/** A switch that turns one kind of email on or off immediately. */
function MailSwitch({ name, isOn, queryKey }: MailSwitchProps) {
  const { run, ...action } = useAction();
  const queryClient = useQueryClient();

  function set() {
    if (action.isPending) return;
    run(() => updateMailPreferences({ body: { [name]: !isOn } }), {
      onDone: ({ data: preferences }) => {
        // Another switch may have been pressed in the meantime, so this response sets only its own
        // preference.
        queryClient.setQueryData<MailPreferences>(
          queryKey,
          (shown) => shown && { ...shown, [name]: preferences[name] },
        );
      },
    });
  }

  return (
    <div className="grid gap-3 py-3">
      <Switch
        {...mailPreferenceTable[name]}
        aria-busy={action.isPending || undefined}
        checked={action.isPending ? !isOn : isOn}
        onChange={set}
      />
      <ActionProblem
        action={action}
        notDone="The setting was not changed"
        unknown="We could not confirm whether the setting was changed"
      />
    </div>
  );
}

'use client';

import { type QueryKey, useQueryClient } from '@tanstack/react-query';

import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { updateMailPreferences } from '#lib/actions/people/person.ts';
import {
  mailPreferenceTable,
  type MailPreference,
} from '#lib/contract/people/mail-preference-table.ts';
import type { MailPreferences } from '#lib/contract/people/mail-preferences.ts';

type MailSwitchProps = {
  name: MailPreference;
  isOn: boolean;
  queryKey: QueryKey;
};

/** A switch that turns one kind of email on or off immediately. */
export function MailSwitch({ name, isOn, queryKey }: MailSwitchProps) {
  const { run, ...action } = useAction();
  const queryClient = useQueryClient();

  function set() {
    if (action.isPending) return;
    run(() => updateMailPreferences({ body: { [name]: !isOn } }), {
      onDone: ({ data: preferences }) => {
        // Another switch may have been pressed meanwhile, so this response sets only its own
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
      <RateLimitNotice deadline={action.deadline} />
      {action.failure && (
        <ActionFailurePanel
          failure={action.failure}
          notDone="The setting was not changed"
          unknown="We could not confirm whether the setting was changed"
        />
      )}
    </div>
  );
}

'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { SectionForm } from '#components/shell/form/section-form.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { setInstallationSupport } from '#lib/actions/people/installation-support.ts';
import {
  type SupportAccess,
  supportTokens,
  supportTokensTable,
} from '#lib/contract/api-keys/ceiling.ts';
import { installationSupportQuery } from '#lib/queries/installation-support.ts';

type SetInstallationSupportProps = { accountId: string; support: SupportAccess };

/** The form in which an owner changes what installation support can see. */
export function SetInstallationSupport({ accountId, support }: SetInstallationSupportProps) {
  const [isSaved, setSaved] = useState(false);
  const runAction = useRunAction();
  const queryClient = useQueryClient();
  const form = useForm<SupportAccess, { support: SupportAccess }>({
    initial: { tokens: support.tokens, payloads: support.payloads },
    send: (chosen) => {
      setSaved(false);
      return runAction(() => setInstallationSupport(chosen));
    },
    onDone: async () => {
      setSaved(true);
      await queryClient.invalidateQueries(installationSupportQuery(accountId));
    },
  });

  function change(part: Partial<SupportAccess>) {
    form.change(part);
    setSaved(false);
  }

  return (
    <SectionForm
      form={form}
      notDone="Your changes were not saved"
      unknown="It is unknown whether your changes were saved"
      submit="Save what they can see"
      success={isSaved ? 'Saved. The change applies immediately.' : null}
    >
      <RadioCards
        columns={1}
        legend="New tokens that installation support can see"
        name="installation-support-tokens"
        cards={CARDS}
        value={form.values.tokens}
        onChange={(tokens) => change({ tokens })}
      />
      <Checkbox
        label="Installation support can read messages and event payloads"
        description="If this is off, they cannot see tokens of keys that can read them, whichever option is selected above."
        checked={form.values.payloads}
        onChange={(event) => change({ payloads: event.target.checked })}
      />
    </SectionForm>
  );
}

const CARDS = supportTokens.map((value) => ({ value, ...supportTokensTable[value] }));

'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';

import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { SectionForm } from '#components/shell/form/section-form.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { updateAccount } from '#lib/actions/account.ts';
import {
  type SupportAccess,
  supportTokens,
  supportTokensTable,
} from '#lib/contract/api-keys/ceiling.ts';

/** The form in which an owner changes what support can see. */
export function SetSupportAccess({ support }: { support: SupportAccess }) {
  const [isSaved, setSaved] = useState(false);
  const runAction = useRunAction();
  const router = useRouter();
  const form = useForm({
    initial: support,
    send: (chosen) => {
      setSaved(false);
      return runAction(() => updateAccount({ support: chosen }));
    },
    onDone: () => {
      setSaved(true);
      // The session, which every page reads, includes the setting.
      router.refresh();
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
      submit="Save support access"
      success={isSaved ? 'Saved. The change applies immediately.' : null}
    >
      <RadioCards
        legend="New tokens that support can see"
        name="tokens"
        cards={CARDS}
        value={form.values.tokens}
        onChange={(tokens) => change({ tokens })}
      />
      <Checkbox
        label="Support can read messages and event payloads"
        description="If this is off, support cannot see tokens of keys that can read them, whichever option is selected above."
        checked={form.values.payloads}
        onChange={(event) => change({ payloads: event.target.checked })}
      />
    </SectionForm>
  );
}

const CARDS = supportTokens.map((value) => ({ value, ...supportTokensTable[value] }));

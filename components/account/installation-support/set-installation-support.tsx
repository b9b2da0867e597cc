import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changedFields, untouchedFields } from '#components/shell/form/changed-fields.ts';
import { SectionForm } from '#components/shell/form/section-form.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { setInstallationSupport } from '#lib/actions/people/account.ts';
import { type SupportAccess } from '#lib/contract/rights/member-rights.ts';
import { supportTokens, supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

type SetInstallationSupportProps = { accountId: string; support: InstallationSupport };

/** The form in which an owner changes what installation support can see. */
export function SetInstallationSupport({ accountId, support }: SetInstallationSupportProps) {
  // The saved values, with which the form is compared.
  const [saved, setSaved] = useState(support);
  const [isSaved, setIsSaved] = useState(false);
  const queryClient = useQueryClient();
  const form = useForm({
    initial: accessOf(support),
    send: (chosen) => {
      setIsSaved(false);
      return setInstallationSupport({ body: changedFields(chosen, accessOf(saved)) });
    },
    onDone: ({ data: changed }) => {
      setIsSaved(true);
      queryClient.setQueryData(routeQuery(accountId, 'getInstallationSupport').queryKey, changed);
    },
  });
  // After a save, or when another owner changed something.
  if (support !== saved) {
    setSaved(support);
    form.change(untouchedFields(form.values, { before: accessOf(saved), now: accessOf(support) }));
  }
  const isUntouched = Object.keys(changedFields(form.values, accessOf(saved))).length === 0;

  function change(part: Partial<SupportAccess>) {
    form.change(part);
    setIsSaved(false);
  }

  return (
    <SectionForm
      form={form}
      notDone="Your changes were not saved"
      unknown="We could not confirm whether your changes were saved"
      submit="Save support access"
      disabledReason={isUntouched ? 'There are no changes to save.' : undefined}
      success={isSaved && isUntouched ? 'Saved. The change applies immediately.' : null}
    >
      <RadioCards
        columns={1}
        legend="New tokens that installation support can see"
        name="installation-support-tokens"
        cards={cards}
        value={form.values.tokens}
        onChange={(tokens) => change({ tokens })}
      />
      <Checkbox
        label="Installation support can read messages and event payloads"
        description="When this is off, they cannot see tokens of keys that can read messages or payloads, regardless of the option above. This includes keys that manage webhooks, which can send payloads to any URL."
        checked={form.values.payloads}
        onChange={(event) => change({ payloads: event.target.checked })}
      />
      <Checkbox
        label="Installation support can read receivers’ error texts"
        description="What the servers behind your webhooks send back in their responses, which can contain customer data. Reading messages includes this. When both are off, they see only the status, content type and size."
        checked={form.values.error_texts}
        onChange={(event) => change({ error_texts: event.target.checked })}
      />
    </SectionForm>
  );
}

const cards = supportTokens.map((value) => ({ value, ...supportTokensTable[value] }));

function accessOf({ tokens, payloads, error_texts }: SupportAccess): SupportAccess {
  return { tokens, payloads, error_texts };
}

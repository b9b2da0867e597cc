'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { SuccessMessage } from '#components/shell/feedback/success-message.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { Form } from '#components/ui/inputs/form.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { setSupportAccess } from '#lib/actions/support-access.ts';
import {
  type SupportAccess,
  supportTokens,
  supportTokensTable,
} from '#lib/contract/api-keys/ceiling.ts';

/** The form in which an owner changes what support can see. */
export function SetSupportAccess({ support }: { support: SupportAccess }) {
  const [chosen, setChosen] = useState(support);
  const [isSaved, setSaved] = useState(false);
  const { run, isPending, failure, deadline, secondsLeft } = useAction();
  const router = useRouter();

  function change(part: Partial<SupportAccess>) {
    setChosen((before) => ({ ...before, ...part }));
    setSaved(false);
  }

  function submit() {
    setSaved(false);
    run(() => setSupportAccess(chosen), {
      onDone: () => {
        setSaved(true);
        // The session, which every page reads, includes the setting.
        router.refresh();
      },
    });
  }

  return (
    <Form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <RadioCards
        legend="New tokens that support can see"
        name="tokens"
        cards={CARDS}
        value={chosen.tokens}
        onChange={(tokens) => change({ tokens })}
      />
      <Checkbox
        label="Support can read messages and event payloads"
        description="If this is off, support cannot see tokens of keys that can read them, whichever option is selected above."
        checked={chosen.payloads}
        onChange={(event) => change({ payloads: event.target.checked })}
      />
      <RateLimitNotice keepsInput deadline={deadline} />
      {failure && (
        <ActionFailurePanel
          failure={failure}
          notDone="Your changes were not saved"
          unknown="It is unknown whether your changes were saved"
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          className="max-sm:w-full"
          pending={isPending}
          disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
        >
          Save support access
        </Button>
        <SuccessMessage>{isSaved ? 'Saved. The change applies immediately.' : null}</SuccessMessage>
      </div>
    </Form>
  );
}

const CARDS = supportTokens.map((value) => ({ value, ...supportTokensTable[value] }));

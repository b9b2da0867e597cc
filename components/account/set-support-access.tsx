'use client';

import { Check } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState, useTransition } from 'react';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useActionFailure } from '#components/shell/actions/use-action-failure.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { setSupportAccess } from '#lib/actions/support-access.ts';
import { type SupportAccess, supportTokens, supportTokensTable } from '#lib/contract/ceiling.ts';

/** The form in which an owner changes what support can see. */
export function SetSupportAccess({ support }: { support: SupportAccess }) {
  const [chosen, setChosen] = useState(support);
  const [isSaved, setSaved] = useState(false);
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const [isPending, startTransition] = useTransition();
  const router = useRouter();
  const runAction = useRunAction();

  function change(part: Partial<SupportAccess>) {
    setChosen((before) => ({ ...before, ...part }));
    setSaved(false);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    setSaved(false);
    startTransition(async () => {
      const result = await runAction(() => setSupportAccess(chosen));
      if (!result.ok) {
        handleFailure(result);
        return;
      }
      setSaved(true);
      // The session, which every page reads, includes the setting.
      router.refresh();
    });
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
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
        <ErrorPanel
          title={
            isOutcomeUnknown(failure)
              ? 'It is unknown whether your changes were saved'
              : 'Your changes were not saved'
          }
          message={failure.message}
          requestId={failure.requestId}
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
        <p role="status" className="flex gap-2 text-pretty empty:hidden">
          {isSaved && (
            <>
              <Check aria-hidden className="mt-0.5 text-ok-mark" />
              <span>Saved. The change applies immediately.</span>
            </>
          )}
        </p>
      </div>
    </form>
  );
}

const CARDS = supportTokens.map((value) => ({ value, ...supportTokensTable[value] }));

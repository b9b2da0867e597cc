'use client';

import { MessageSquareText } from 'lucide-react';
import { useRef, useState, useTransition } from 'react';

import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import { useAct } from '#components/shell/use-act.ts';
import { useRefusal } from '#components/shell/use-refusal.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/dialog.tsx';
import { Facts } from '#components/ui/facts.tsx';
import { Note } from '#components/ui/note.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { rotateApiKey } from '#lib/actions/api-keys.ts';
import { rotateOnRequest } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { rotationReasonTable } from '#lib/contract/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { ActFailure } from './act-failure.tsx';
import { LastUse } from './last-use.tsx';
import { MaskedToken } from './masked-token.tsx';
import { type GraceChoice, graceChoices, graceEnd } from './rotation-grace.ts';
import { RotationOverlap } from './rotation-overlap.tsx';

type RotateDialogProps = {
  apiKey: ApiKey;
  /** The request that this fulfils, if somebody asked for it. */
  request: RotationRequest | null;
  now: Date;
  finalFocus: FocusTarget;
  onStale: () => void;
  onRotated: (made: { token: string; message: string }) => void;
  onClose: () => void;
};

/** Facts, how long the old token goes on, and the button. Focus begins on Cancel. */
export function RotateDialog({
  apiKey,
  request,
  now,
  finalFocus,
  onStale,
  onRotated,
  onClose,
}: RotateDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [choice, setChoice] = useState<GraceChoice>('86400');
  const { failure, setFailure, deadline, secondsLeft, refuse } = useRefusal();
  const [isPending, startTransition] = useTransition();
  const endsAt = graceEnd(choice, apiKey, now);
  const act = useAct();

  function rotate() {
    setFailure(null);
    startTransition(async () => {
      const input = {
        grace_period_seconds: Number(choice),
        expected_last_four: apiKey.last_four,
      };
      const result = await act(() =>
        request === null ? rotateApiKey(apiKey.uuid, input) : rotateOnRequest(request.uuid, input),
      );
      if (result.ok) onRotated({ token: result.token, message: result.message });
      else refuse(result, tell);
    });
  }

  function tell(told: ActionFailure) {
    setFailure(told);
    // Someone else was faster, or the key is gone: show how it stands now.
    onStale();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      isLocked={isPending}
      title={`Rotate ${apiKey.name}`}
      sentence="Makes a new token. Everything else about the key stays."
      initialFocus={cancel}
      finalFocus={finalFocus}
      footer={
        <>
          <Button
            ref={cancel}
            onClick={onClose}
            refused={isPending ? 'The rotation is under way.' : undefined}
          >
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={isPending}
            refused={isPending ? undefined : waitReason(secondsLeft)}
            onClick={rotate}
            className="min-w-0 shrink max-sm:flex-[2]!"
          >
            <span className="truncate">Rotate {apiKey.name}</span>
          </Button>
        </>
      }
    >
      {request && <AskedBy request={request} />}
      <Facts facts={factsOf(apiKey)} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Segmented
          legend="The old token ends"
          segments={graceChoices}
          value={choice}
          onChange={setChoice}
          help={<Consequence lastFour={apiKey.last_four} choice={choice} endsAt={endsAt} />}
        />
        <RotationOverlap lastFour={apiKey.last_four} choice={choice} endsAt={endsAt} />
      </div>
      {apiKey.previous_token && choice !== '0' && (
        <Note>
          Two tokens work now, and only one goes on beside the new one. If{' '}
          <MaskedToken lastFour={apiKey.last_four} form="short" /> was never used, it ends at once
          and <MaskedToken lastFour={apiKey.previous_token.last_four} form="short" /> keeps its own
          time; otherwise <MaskedToken lastFour={apiKey.previous_token.last_four} form="short" />{' '}
          ends at once.
        </Note>
      )}
      <RateLimitNotice deadline={deadline} />
      {failure && (
        <Banner
          tone="bad"
          role="alert"
          title={
            isOutcomeUnknown(failure)
              ? `It is unknown whether ${apiKey.name} was rotated`
              : `${apiKey.name} was not rotated`
          }
        >
          <ActFailure
            failure={failure}
            ifUnknown="If it was, nobody has its new token, and the old one ends when you chose. Rotating again is safe: a token that was never used is replaced."
          />
        </Banner>
      )}
    </Dialog>
  );
}

function AskedBy({ request }: { request: RotationRequest }) {
  const { requested_by: asker, reason, note } = request;
  return (
    <Note icon={<MessageSquareText />}>
      <strong>{asker.name} asks for this.</strong> {rotationReasonTable[reason]}.
      {note !== null && ` “${note}”`}
    </Note>
  );
}

function factsOf(apiKey: ApiKey) {
  const older = apiKey.previous_token;
  return [
    { label: 'Token in use', value: <MaskedToken lastFour={apiKey.last_four} /> },
    ...(older
      ? [
          {
            label: 'Older token',
            value: (
              <>
                <MaskedToken lastFour={older.last_four} form="short" /> until{' '}
                <ExactTime value={older.valid_until} />
              </>
            ),
          },
        ]
      : []),
    { label: 'Last used', value: <LastUse at={apiKey.last_used_at} from={apiKey.last_used_ip} /> },
    {
      label: 'Created',
      value: (
        <>
          <ExactTime form="day" value={apiKey.created_at} />
          {apiKey.created_by && ` by ${apiKey.created_by.name}`}
        </>
      ),
    },
  ];
}

type ConsequenceProps = { lastFour: string; choice: GraceChoice; endsAt: Date | null };

function Consequence({ lastFour, choice, endsAt }: ConsequenceProps) {
  return (
    <span className="block min-h-10 text-ink-2">
      {endsAt ? (
        <>
          {choice !== '3600' && 'Nothing stops today. '}
          Calls with <MaskedToken lastFour={lastFour} form="short" /> get through until{' '}
          <strong className="font-medium text-ink">
            <ExactTime value={endsAt.toISOString()} />
          </strong>
          , then are answered 401.
        </>
      ) : (
        <>
          Calls with <MaskedToken lastFour={lastFour} form="short" /> and any older token are
          answered 401 <strong className="font-medium text-ink">at once</strong>.
        </>
      )}
    </span>
  );
}

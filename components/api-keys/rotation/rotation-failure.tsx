import { LogIn } from 'lucide-react';
import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { type ActionFailure, isPageOutdated, isRepeatRefused } from '#lib/actions/action-result.ts';

import { MaskedToken } from '../masked-token.tsx';

type RotationFailureProps = {
  name: string;
  failure: ActionFailure;
  /** The token that the lost response had, once it is known that the key was rotated. */
  lost: { last_four: string } | null;
};

/** Why the key was not rotated, what is unknown about it, or that only the response was lost. */
export function RotationFailure({ name, failure, lost }: RotationFailureProps) {
  if (lost !== null) {
    return (
      <Banner
        tone="warn"
        role="alert"
        title={`${name} was rotated, but the response with its new token was lost`}
      >
        Nobody saw <MaskedToken lastFour={lost.last_four} form="short" />. Press “Rotate {name}”
        again to replace it with a token that is shown to you. The old token ends at the time you
        chose.
      </Banner>
    );
  }
  if (isRepeatRefused(failure)) {
    return (
      <Banner tone="bad" role="alert" title={`${name} was already rotated`}>
        An earlier attempt rotated it, but that token can no longer be shown: it was confirmed, used
        or replaced, or 10 minutes have passed. Rotate again to get a new token.
      </Banner>
    );
  }
  return (
    <ActionFailurePanel
      failure={failure}
      role="alert"
      notDone={`${name} was not rotated`}
      unknown={`We could not confirm whether ${name} was rotated`}
      adviceIfUnknown="If it was rotated, its new token was not shown to anyone, and the old one ends at the time you chose. You can rotate it again: the unused token is replaced."
    />
  );
}

type PreviewFailureProps = { name: string; failedAction: FailedAction };

/** Why there is no preview: the session ended, the rotation is refused, or nothing responded. */
export function PreviewFailure({ name, failedAction: { failure, retry } }: PreviewFailureProps) {
  if (failure.code === 'UNAUTHORIZED') {
    return (
      <Banner
        tone="warn"
        icon={<LogIn />}
        title="Your session has ended"
        // The preview is read again, which asks for the password first.
        action={<Button onClick={retry}>Sign in again</Button>}
      >
        Sign in again to rotate the key.
      </Banner>
    );
  }
  if (isPageOutdated(failure)) {
    const notDone = `${name} cannot be rotated from this page`;
    return <ActionFailurePanel failure={failure} notDone={notDone} unknown={notDone} />;
  }
  const isRefused = failure.code === 'VALIDATION_ERROR' || failure.code === 'FORBIDDEN';
  if (isRefused) {
    return (
      <Banner tone="bad" title={`${name} cannot be rotated with this choice`}>
        <ServiceText text={failure.message} />
      </Banner>
    );
  }
  return (
    <Note>
      The effect on each token cannot be shown right now: {failure.message} You can still rotate the
      key.
    </Note>
  );
}

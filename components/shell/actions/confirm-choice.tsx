import type { ReactNode } from 'react';
import { Choice } from '#components/ui/feedback/choice-panel.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import { ActionButton } from './action-button.tsx';
import { useAction } from './use-action.ts';

type ConfirmChoiceProps = {
  noun: 'token' | 'secret';
  confirm: () => Promise<ActionResult>;
  /** Called when the key or webhook must be read again. */
  onStale: () => void;
  /** What this does. */
  children: ReactNode;
};

/** The choice to confirm having a token or secret that was shown earlier. */
export function ConfirmChoice({ noun, confirm, onStale, children }: ConfirmChoiceProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  return (
    <>
      <Choice
        title={`You have saved the ${noun}`}
        action={
          <ActionButton
            focusesTitleOnRemoval
            action={action}
            onClick={() =>
              run(confirm, {
                onDone: () => {
                  toast(`The ${noun} is confirmed.`);
                  onStale();
                },
                onNotFound: onStale,
                onFailure: (failure, show) => {
                  show(failure);
                  onStale();
                },
              })
            }
          >
            I have this {noun}
          </ActionButton>
        }
      >
        {children}
      </Choice>
      {action.failure && (
        <div className="px-3.5 pb-3">
          <ActionFailurePanel
            failure={action.failure}
            role="alert"
            notDone={`The ${noun} was not confirmed`}
            unknown={`We could not confirm whether the ${noun} was confirmed`}
            adviceIfUnknown="Trying again is safe."
          />
        </div>
      )}
    </>
  );
}

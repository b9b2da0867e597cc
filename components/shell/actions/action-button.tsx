import { Button, type ButtonProps } from '#components/ui/buttons/button.tsx';
import { rateLimitReason } from '../feedback/rate-limit.ts';
import type { ActionState } from './use-sending.ts';

export type ActionButtonProps = Omit<ButtonProps, 'pending'> & {
  /** From `useAction` or `useForm`. */
  action: Pick<ActionState, 'isPending' | 'secondsLeft'>;
};

/** The button that runs an action. It is disabled while a rate limit lasts. */
export function ActionButton({ action, disabledReason, ...button }: ActionButtonProps) {
  const { isPending, secondsLeft } = action;
  return (
    <Button
      {...button}
      pending={isPending}
      disabledReason={isPending ? undefined : (rateLimitReason(secondsLeft) ?? disabledReason)}
    />
  );
}

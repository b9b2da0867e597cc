import type { ReactNode } from 'react';

import { rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { Button } from '#components/ui/buttons/button.tsx';

type SubmitButtonProps = { isPending: boolean; secondsLeft: number; children: ReactNode };

/** The button of a form for people who are not signed in yet. */
export function SubmitButton({ isPending, secondsLeft, children }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      variant="primary"
      size="large"
      className="mt-2"
      pending={isPending}
      disabledReason={rateLimitReason(secondsLeft)}
    >
      {children}
    </Button>
  );
}

import { LogIn } from 'lucide-react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';

type SessionEndedProps = { isSessionEnded: boolean; onSignIn: () => void };

export function SessionEnded({ isSessionEnded, onSignIn }: SessionEndedProps) {
  if (!isSessionEnded) return null;
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<LogIn />}
      title="Your session has ended"
      action={<Button onClick={onSignIn}>Sign in again</Button>}
    >
      This page shows data from before your session ended. Your input is kept.
    </Banner>
  );
}

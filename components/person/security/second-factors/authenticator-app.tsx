import { useRef } from 'react';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { SecondFactors } from '#lib/contract/people/second-factors.ts';
import type { ShownFactorDialog } from './actions/factor-dialog.tsx';

type AuthenticatorAppProps = {
  app: SecondFactors['app'];
  onOpen: (dialog: ShownFactorDialog) => void;
};

export function AuthenticatorApp({ app, onOpen }: AuthenticatorAppProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Section title="Authenticator app">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">{app ? 'Set up' : 'Not set up'}</p>
          <p className="text-small text-pretty text-ink-3">
            {app ? (
              <>
                Added <ExactTime form="day" value={app.created_at} />
                {app.last_used_at !== null && (
                  <>
                    {' · '}Last used <RelativeTime isMidSentence value={app.last_used_at} />
                  </>
                )}
              </>
            ) : (
              'An app on your phone that shows a new 6-digit code every 30 seconds.'
            )}
          </p>
        </div>
        {app ? (
          <Button
            ref={button}
            size="small"
            className="max-sm:w-full"
            onClick={() => onOpen({ kind: 'remove-app', opener: button.current })}
          >
            Remove app
          </Button>
        ) : (
          <Button
            ref={button}
            size="small"
            className="max-sm:w-full"
            onClick={() => onOpen({ kind: 'set-up-app', opener: button.current })}
          >
            Set up app
          </Button>
        )}
      </div>
    </Section>
  );
}

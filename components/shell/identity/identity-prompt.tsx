import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NeededFactor, SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { FactorPrompt } from './factor-prompt.tsx';
import type { IdentityPromptProps, PromptedSession } from './identity-prompt-props.ts';
import { PasswordPrompt } from './password-prompt.tsx';

/** Asks the person of the page for their password, and for a second factor if they have one. */
export function IdentityPrompt({ session, ...props }: IdentityPromptProps) {
  const { kind, onConfirmed, onSessionEnded, onCancel, finalFocus } = props;
  // Factors may have been added or removed since.
  const { data: current = session } = useQuery({
    ...routeQuery(session, 'getSession'),
    enabled: false,
  });
  const [needed, setNeeded] = useState<NeededFactor | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const { email } = session.person;
  const shared = { email, onCancel, finalFocus };

  if (kind === 'proof' && (current.second_factor.app || current.second_factor.passkeys > 0)) {
    return (
      <FactorPrompt
        {...shared}
        kind="proof"
        needed={factorsOf(current)}
        onDone={onConfirmed}
        onFailure={(failure, show) => {
          if (failure.code === 'UNAUTHORIZED') onSessionEnded();
          else show(failure);
        }}
      />
    );
  }
  if (needed) {
    return (
      <FactorPrompt
        {...shared}
        kind="sign-in"
        needed={needed}
        onDone={() => {
          announceSessionChange();
          props.onSignedIn();
        }}
        onFailure={(failure, show) => {
          const reasons = failure.details?.['pending_token'];
          if (!reasons) {
            show(failure);
            return;
          }
          setEnded(reasons.join(' '));
          setNeeded(null);
        }}
      />
    );
  }
  return <PasswordPrompt {...props} session={session} ended={ended} onSecondFactor={setNeeded} />;
}

function factorsOf({ second_factor: factors, passkey_host: passkeyHost }: PromptedSession) {
  const kinds: SecondFactorKind[] = [
    ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors.app ? (['app'] as const) : []),
    ...(factors.recovery_codes_left > 0 ? (['recovery_code'] as const) : []),
  ];
  return { kinds, passkey_host: passkeyHost };
}

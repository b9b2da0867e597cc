import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { SecondFactors } from '#lib/contract/people/second-factors.ts';

type FactorStatusProps = {
  /** Undefined: they are not read yet. */
  factors: SecondFactors | undefined;
  session: Pick<Session, 'account' | 'lacks_second_factor'>;
};

/** Whether a second factor is on, and whether the account requires one. */
export function FactorStatus({ factors, session }: FactorStatusProps) {
  const { name, second_factor_required_from: requiredFrom } = session.account;
  const isOn = factors !== undefined && (factors.app !== null || factors.passkeys.length > 0);
  return (
    <div className="flex min-h-6 flex-wrap items-baseline gap-x-5 gap-y-1">
      {factors !== undefined && (
        <Status mark={isOn ? 'ok' : requiredFrom === null ? 'ended' : 'warning'}>
          {isOn ? 'Second factor is on' : 'Second factor is off'}
        </Status>
      )}
      {requiredFrom !== null && (
        <span className="text-pretty text-ink-3">
          {session.lacks_second_factor && !isOn ? (
            `${name} requires one. Add a passkey or an authenticator app to continue.`
          ) : (
            <>
              {name} requires one from <ExactTime form="day" value={requiredFrom} />
            </>
          )}
        </span>
      )}
      {factors !== undefined && !isOn && requiredFrom === null && (
        <span className="text-pretty text-ink-3">
          With a second factor, nobody can sign in with your password alone. Adding your first one
          signs you out everywhere else.
        </span>
      )}
    </div>
  );
}

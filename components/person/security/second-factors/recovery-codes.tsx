import { useRef } from 'react';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { SecondFactors } from '#lib/contract/people/second-factors.ts';
import type { ShownFactorDialog } from './actions/factor-dialog.tsx';

type RecoveryCodesProps = {
  codes: SecondFactors['recovery_codes'];
  onOpen: (dialog: ShownFactorDialog) => void;
};

/** How many recovery codes are left. */
export function RecoveryCodes({ codes, onOpen }: RecoveryCodesProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Section title="Recovery codes">
      {codes === null ? (
        <p className="text-pretty text-ink-3">
          You get 10 of them with your first second factor, in case you lose it.
        </p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-3">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium">
              {codes.left} of {codes.total} codes left
            </p>
            <p className="text-small text-pretty text-ink-3">
              Created <ExactTime form="day" value={codes.created_at} />. Each signs you in once if
              you lose your devices.
            </p>
          </div>
          <Button
            ref={button}
            size="small"
            className="max-sm:w-full"
            onClick={() => onOpen({ kind: 'create-codes', opener: button.current })}
          >
            Create new codes
          </Button>
        </div>
      )}
    </Section>
  );
}

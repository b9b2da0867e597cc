import { Fingerprint, ShieldAlert, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { Member } from '#lib/contract/people/members.ts';
import { describeFactors } from './describe-factors.ts';

type MemberFactorsProps = {
  factors: Member['second_factor'];
  /** From when on the account requires one; null: it does not. */
  requiredFrom: string | null;
  /** The button that reminds a member who needs one; undefined if the person may not. */
  remind: ReactNode;
};

export function MemberFactors({ factors, requiredFrom, remind }: MemberFactorsProps) {
  const words = describeFactors(factors);
  if (words === null) {
    return requiredFrom === null ? (
      <span className="text-ink-3">None</span>
    ) : (
      <>
        <Marked icon={<ShieldAlert className="text-warn-mark" />}>
          <span className="text-warn">None</span>
        </Marked>
        <SecondLine className="whitespace-normal max-sm:hidden">
          Required from <ExactTime form="day" value={requiredFrom} />
        </SecondLine>
        {remind}
      </>
    );
  }
  const icon = factors.passkeys > 0 ? <Fingerprint /> : <Smartphone />;
  return <Marked icon={icon}>{words}</Marked>;
}

function Marked({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-[7px]">
      <span aria-hidden className="grid size-3.5 place-items-center text-ink-3 [&>svg]:icon-14">
        {icon}
      </span>
      {children}
    </span>
  );
}

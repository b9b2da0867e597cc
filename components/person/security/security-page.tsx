import type { Session } from '#lib/contract/people/sessions.ts';
import { ChangePassword } from './change-password.tsx';
import { SecondFactors } from './second-factors/second-factors.tsx';
import { SecurityHeading } from './security-heading.tsx';
import { Sessions } from './sessions.tsx';

export function SecurityPage({ session }: { session: Session }) {
  return (
    <>
      <SecurityHeading />
      <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-10 max-sm:gap-8">
        <SecondFactors session={session} />
        <ChangePassword session={session} />
        <Sessions session={session} />
      </div>
    </>
  );
}

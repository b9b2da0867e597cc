import { Headset } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { lazyDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { endSupportVisit } from '#lib/actions/people/account.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { supportDeskPath } from '#lib/paths/account-path.ts';
import { formatRemaining } from '#lib/time.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { useAction } from '../actions/use-action.ts';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';

type Visit = NonNullable<Session['visit']>;

/** Shows installation support why they opened the account, and for how long it stays open. */
export function VisitBanner({ session, visit }: { session: Session; visit: Visit }) {
  const ending = useAction();
  const [isChanging, setIsChanging] = useState(false);
  const changeButton = useRef<HTMLButtonElement>(null);

  function end() {
    ending.run(endSupportVisit, {
      // A full page load, so that no data of the account stays in memory.
      onDone: () => window.location.assign(supportDeskPath),
    });
  }

  return (
    <section aria-label="Your visit" className="mb-6 grid gap-3 print:hidden">
      <Banner
        role="none"
        icon={<Headset />}
        title={`You opened ${session.account.name} as installation support`}
        action={
          <div className="flex gap-2 max-sm:*:flex-1">
            <Button size="small" ref={changeButton} onClick={() => setIsChanging(true)}>
              Change reason
            </Button>
            <ActionButton size="small" action={ending} onClick={end}>
              End visit
            </ActionButton>
          </div>
        }
      >
        {visit.reason} · <TimeLeft endsAt={visit.ends_at} />
      </Banner>
      {ending.failure && (
        <ActionFailurePanel
          failure={ending.failure}
          notDone="The visit was not ended"
          unknown="We could not confirm whether the visit was ended"
        />
      )}
      <LazyChangeReason
        isOpen={isChanging}
        session={session}
        finalFocus={changeButton}
        onClose={() => setIsChanging(false)}
      />
    </section>
  );
}

/** "11 h 20 min left, until 21 Nov, 02:14" */
function TimeLeft({ endsAt }: { endsAt: string }) {
  const now = useNow();
  return (
    <span className="whitespace-nowrap">
      {now !== null && `${formatRemaining(new Date(endsAt), now)} left, `}until{' '}
      <ExactTime value={endsAt} form="short" />
    </span>
  );
}

const LazyChangeReason = lazyDialog(async () => (await import('./change-reason.tsx')).ChangeReason);

import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Skeleton } from '#components/ui/data-display/table.tsx';

import { HealthSkeleton } from '../health/health-skeleton.tsx';
import { webhooksPath } from '../webhook-path.ts';

/** The page of a webhook while its data is loading. */
export function WebhookSkeleton() {
  return (
    <div aria-busy>
      <PageHeading
        crumb={{ href: webhooksPath, label: 'Webhooks' }}
        title="Webhook"
        sentence={
          <>
            <Skeleton width={320} />
            <Skeleton width={260} />
          </>
        }
      />
      <div className="grid gap-10 max-sm:gap-8">
        <section>
          <h2 className="sr-only">Health</h2>
          <HealthSkeleton />
        </section>
        <Section title="Signing secret">
          <div className="rounded-3 border border-line-strong px-4 py-3.5">
            <Skeleton width={160} />
            <Skeleton width={220} isSecond />
          </div>
        </Section>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[740px]:grid-cols-2">
          <Section title="Details">
            <div>
              {[300, 120, 90, 170, 280].map((width) => (
                <Skeleton key={width} width={width} />
              ))}
            </div>
          </Section>
          <Section title="Events">
            <div>
              {[260, 220, 200].map((width) => (
                <Skeleton key={width} width={width} />
              ))}
            </div>
          </Section>
        </div>
      </div>
    </div>
  );
}

import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Skeleton } from '#components/ui/data-display/table.tsx';

import { Section } from '#components/shell/page/section.tsx';

/** The page of a key while its data is loading. */
export function ApiKeySkeleton() {
  return (
    <div aria-busy>
      <PageHeading
        crumb={{ href: 'settings/api-keys', label: 'API keys' }}
        title="API key"
        sentence={
          <>
            <Skeleton width={104} />
            <Skeleton width={240} />
          </>
        }
      />
      <div className="grid gap-10 max-sm:gap-8">
        <Section title="Token">
          <div className="rounded-3 border border-line-strong px-4 py-3.5">
            <Skeleton width={104} />
            <Skeleton width={280} isSecond />
          </div>
        </Section>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[740px]:grid-cols-2">
          <Section title="Details">
            <div>
              {[180, 96, 132, 160, 210].map((width) => (
                <Skeleton key={width} width={width} />
              ))}
            </div>
          </Section>
          <Section title="Scopes">
            <div>
              {[220, 190, 240].map((width) => (
                <Skeleton key={width} width={width} />
              ))}
            </div>
          </Section>
        </div>
      </div>
    </div>
  );
}

import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { headingsOf, tokensOf } from '#lib/docs/markdown-tokens.ts';
import { Markdown } from './markdown.tsx';

type Neighbor = { path: string; title: string } | undefined;

type GuideProps = {
  markdown: string;
  before: Neighbor;
  next: Neighbor;
};

/** A page of text, and on wide screens beside it its sections. */
export function Guide({ markdown, before, next }: GuideProps) {
  const sections = headingsOf(tokensOf(markdown)).filter(({ depth }) => depth === 2);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 min-[72rem]:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="max-w-176 min-w-0">
        <Markdown text={markdown} />
        {(before ?? next) && (
          <nav
            aria-label="Next pages"
            className="mt-12 grid grid-cols-2 gap-4 border-t border-line pt-5 print:hidden"
          >
            {before ? <NeighborLink label="Before" page={before} /> : <span />}
            {next && <NeighborLink label="Next" page={next} isEnd />}
          </nav>
        )}
      </div>
      {sections.length > 1 && (
        <aside
          aria-label="On this page"
          className="text-small max-[72rem]:hidden print:hidden min-[72rem]:sticky min-[72rem]:top-9 min-[72rem]:max-h-[calc(100dvh-4.5rem)] min-[72rem]:self-start min-[72rem]:overflow-y-auto"
        >
          <p className="mb-1.5 text-micro leading-5 font-medium text-ink-3">On this page</p>
          <ol className="border-l border-line">
            {sections.map(({ id, text }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block py-1 pl-3.5 text-pretty text-ink-2 no-underline hover:text-ink"
                >
                  {text}
                </a>
              </li>
            ))}
          </ol>
        </aside>
      )}
    </div>
  );
}

function NeighborLink({
  label,
  page,
  isEnd = false,
}: {
  label: string;
  page: { path: string; title: string };
  isEnd?: boolean;
}) {
  return (
    <PageLink
      href={page.path}
      className={`font-medium wrap-anywhere text-ink no-underline hover:underline ${isEnd ? 'text-right' : ''}`}
    >
      <span className="block text-small font-normal text-ink-3">{label}</span>
      {page.title}
    </PageLink>
  );
}

import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { type DocPage, summaryOf } from '#lib/docs/site.ts';
import { InlineMarkdown, Markdown } from './markdown.tsx';

/** The first page of the documentation: how to start, and what each page is about. */
export function Overview({ start, chapters }: NonNullable<DocPage['overview']>) {
  return (
    <>
      <div className="max-w-176">
        <Markdown text={start} />
      </div>
      {chapters.map(({ label, pages }) => (
        <section key={label}>
          <h2 className="mt-10 border-t border-line pt-6 text-heading">{label}</h2>
          <ul className="mt-4 grid gap-x-8 gap-y-5 sm:grid-cols-2 min-[72rem]:grid-cols-3">
            {pages.map((page) => (
              <li key={page.path} className="min-w-0 break-inside-avoid">
                <PageLink href={page.path} className="link font-medium">
                  {page.title}
                </PageLink>
                <p className="mt-1 text-small text-pretty wrap-anywhere text-ink-2">
                  <InlineMarkdown text={summaryOf(page)} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

import type { ReactNode } from 'react';

import { FocusTitle } from '../page/focus-title.tsx';
import { PageHeading } from '../page/page-heading.tsx';
import { PageTitle } from '../page/page-title.tsx';

type EditPageProps = {
  /** What the document is called. */
  pageTitle: string;
  /** The name of what is edited. */
  name: string;
  /** Its page. */
  href: string;
  /** From when on changes take effect, and what they leave alone. */
  sentence: string;
  /** The form, or why it is not offered. */
  children: ReactNode;
};

/** The page on which something that exists is edited. */
export function EditPage({ pageTitle, name, href, sentence, children }: EditPageProps) {
  return (
    <>
      <PageTitle>{pageTitle}</PageTitle>
      <PageHeading crumb={{ href, label: name }} title={`Edit ${name}`} sentence={sentence} />
      <FocusTitle />
      {children}
    </>
  );
}

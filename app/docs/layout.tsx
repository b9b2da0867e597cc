import type { ReactNode } from 'react';
import { DocsFrame } from '#components/docs/docs-frame.tsx';
import { readSite } from '#lib/docs/site.ts';

/** The layout of the documentation. It contains nothing of any account: everyone can read it. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const { navigation } = await readSite();
  return <DocsFrame navigation={navigation}>{children}</DocsFrame>;
}

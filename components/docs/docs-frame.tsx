'use client';

import type { ReactNode } from 'react';
import { FrameLayout } from '#components/shell/frame/frame-layout.tsx';
import { PhoneBar } from '#components/shell/frame/phone-bar.tsx';
import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import type { NavigationGroup } from '#lib/docs/site.ts';
import { DocsSidebar } from './docs-sidebar.tsx';

type DocsFrameProps = { navigation: readonly NavigationGroup[]; children: ReactNode };

/** The frame of the documentation, which everyone can read without signing in. */
export function DocsFrame({ navigation, children }: DocsFrameProps) {
  return (
    <BasePathProvider value="/">
      <FrameLayout
        sidebar={<DocsSidebar navigation={navigation} />}
        bar={
          <PhoneBar
            title="Documentation"
            renderSidebar={(close) => <DocsSidebar navigation={navigation} onNavigate={close} />}
          />
        }
      >
        {children}
      </FrameLayout>
    </BasePathProvider>
  );
}

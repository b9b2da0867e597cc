import type { ReactNode } from 'react';
import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import { Brand } from './brand.tsx';
import { FrameLayout } from './frame-layout.tsx';

type FrameWithoutSessionProps = {
  /** The path of the account's pages. */
  basePath: string;
  children: ReactNode;
};

/** The frame while the service cannot say who is signed in: nothing in it can be pressed. */
export function FrameWithoutSession({ basePath, children }: FrameWithoutSessionProps) {
  return (
    <BasePathProvider value={basePath}>
      <FrameLayout
        sidebar={
          <div className="flex h-16 items-center px-5">
            <Brand />
          </div>
        }
        bar={
          <header className="flex h-14 items-center border-b border-line bg-sunken px-4 min-[60rem]:hidden print:hidden">
            <Brand />
          </header>
        }
      >
        {children}
      </FrameLayout>
    </BasePathProvider>
  );
}
